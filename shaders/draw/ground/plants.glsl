// What:   the colour of what grows at a place: of each kind in patches with ragged borders, where it has the water it
//         wants; and how close bushes stand on it.
// Use:    vec4 colour_and_bushes = plants_over(colour, shape, broad, close, stood, tuft);  stood: the relief's heights;
//         tuft: a blade's height over the mean of its material
// Range:  the bushes 0 ... 1

#include "draw/ground/part_weights.glsl"

const float BANKS = 4.0; // and around which plants begin to have water at hand, 1 hectare
const float TUFTS_RAG = 2.6; // how far tufts move a border, in deviations of noise over the height of a blade

uniform vec3 u_plants[4]; // display colours: of wet hollows, of dry swells, of bushes and of heath

vec4 plants_over(vec3 colour, vec4 shape, vec4 broad, vec4 close, vec2 stood, float tuft) {
    float bend = clamp(WIDE_BEND_M * shape.b, -1.0, 1.0), many = min(ground_variation, 1.2);
    float near = 0.3 * stood.x + 0.2 * stood.y + TUFTS_RAG * tuft;
    float wet = 0.5 * (max(shape.g, BANKS - 1.0) - BANKS) - 0.5 * bend + 0.3 * broad.x + 0.3 * close.x - near;
    colour = mix(colour, u_plants[0], 0.8 * many * smoothstep(0.1, 0.9, wet));
    float dry = 0.6 * bend + 0.03 * (shape.a - 8.0) - 0.5 * broad.x + 0.3 * close.y + near;
    colour = mix(colour, u_plants[1], 0.65 * many * smoothstep(0.1, 1.1, dry));
    float heath = 0.7 * broad.y + 0.35 * close.x + 0.4 * broad.x + near - 0.25 * max(wet, 0.0);
    colour = mix(colour, u_plants[3], 0.8 * many * smoothstep(0.45, 1.05, heath));
    float bushes = 0.65 * close.y - 0.5 * broad.y + 0.35 * broad.x + 1.3 * near - 0.02 * max(shape.a - 20.0, 0.0);
    return vec4(colour, min(many, 1.0) * smoothstep(0.1, 1.5, bushes));
}
