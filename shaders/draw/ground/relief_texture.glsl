// What:   a tiling relief: its slopes along and up, its height and hollow in deviations.
// Use:    vec4 relief = relief_texel(repeats, layer, place_m, across_m, up_m);  repeats: 1/m; across and up: what a
//         pixel covers

uniform sampler2DArray u_reliefs; // slopes along and up, height and hollow in deviations

vec4 relief_texel(float repeats, float layer, vec2 place_m, vec2 across_m, vec2 up_m) {
    return textureGrad(u_reliefs, vec3(repeats * place_m, layer), repeats * across_m, repeats * up_m);
}
