// What:   the parts of a palette, each a material: base, upper, steep, high, low, deposit.
// Use:    vec3 colour = u_colours[part];

const int PARTS = 6; // base, upper, steep, high, low, deposit

uniform vec3 u_colours[PARTS]; // display colours, between which a part changes
uniform vec3 u_others[PARTS];
uniform vec3 u_evens[PARTS]; // one over the mean of the texture
uniform vec4 u_parts[PARTS]; // layer, 1/m of the texture, how rough over metres, how much of beds shows
