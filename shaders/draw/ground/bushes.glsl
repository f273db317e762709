// What:   single bushes on the ground, as far as pixels can tell them: their colour laid over the ground's, and their
//         slopes.
// Use:    float bush = bushes_over(colour, bushy, pixel_m, place_m, across_m, up_m, slopes);  bushy: how much of the
//         ground they cover where they stand closest
// Range:  what covers the pixel, 0 ... 1

#include "draw/ground/patches.glsl"
#include "draw/ground/plants.glsl"
#include "draw/ground/relief_texture.glsl"
#include "draw/ground/strewn.glsl"

const float BUSHES_M = 19.0; // a side of the relief that bushes are of: they are 0.5 to 2 m wide, as its stones are of it
const vec2 BUSHES_FROM = vec2(2.6, 0.1); // deviations of it, up to which the fewest bushes are hidden, and the most
const float BUSHY = 0.5; // of the ground that bushes cover where they stand closest, about what is over BUSHES_FROM.y
const vec2 BUSHES_TOLD_M = vec2(0.6, 2.0); // metres a pixel up to which each is seen, and from which only their colour
const float BUSH_FEET = 0.3; // how much darker the ground is that bushes keep the sky from

float bushes_over(inout vec3 colour, float bushy, float pixel_m, vec2 place_m, vec2 across_m, vec2 up_m,
                  out vec2 bush_slopes) {
    float single = 1.0 - smoothstep(BUSHES_TOLD_M.x, BUSHES_TOLD_M.y, pixel_m);
    float bush = 0.0;
    bush_slopes = vec2(0.0);
    if (bushy * single > 0.0) {
        vec4 one_bush = relief_texel(1.0 / BUSHES_M, u_strewn.x, TURNED * place_m, TURNED * across_m, TURNED * up_m);
        float hidden = mix(BUSHES_FROM.x, BUSHES_FROM.y, bushy);
        bush = single * smoothstep(hidden, hidden + 0.25, one_bush.b);
        bush_slopes = 1.2 * one_bush.rg * TURNED;
        colour *= 1.0 - BUSH_FEET * single * smoothstep(hidden - 0.9, hidden, one_bush.b);
    }
    colour = mix(colour, u_plants[2], mix(BUSHY * bushy, bush, single));
    return bush;
}
