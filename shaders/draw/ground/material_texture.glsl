// What:   the grain of a material: display colour and height in it, or its slopes.
// Use:    vec4 texel = material_texel(part, 0.0, place_m, across_m, up_m);  the slopes' layers begin at u_slopes_from

#include "draw/ground/material_parts.glsl"

uniform sampler2DArray u_materials; // display colours and the heights in them; then the slopes of each
uniform float u_slopes_from; // the layer

vec4 material_texel(int part, float from, vec2 place_m, vec2 across_m, vec2 up_m) {
    float repeats = u_parts[part].y;
    return textureGrad(u_materials, vec3(place_m * repeats, u_parts[part].x + from), repeats * across_m, repeats * up_m);
}
