// What:   the relief that stones and bushes strewn over the ground are parts of.
// Use:    vec4 relief = relief_texel(u_strewn.y, u_strewn.x, place_m, across_m, up_m);

uniform vec4 u_strewn; // those stones: layer, 1/m of the relief and of its smaller copy, and a deviation in sides of it
