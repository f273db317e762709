// What:   how much of a place each part of a palette covers: height, slope, curvature, what erosion did and the
//         relief's own ledges and hollows lay one part over another.
// Use:    weigh_parts(heights_m, shape, drifts, normal, noise, stands, leans_deg, lost);  then part_weights[part];
//         heights_m: those that beaches and snow go by; shape: a texel of u_shape; drifts: slope in degrees and
//         curvature in 1/m over widths that snow fills
// Range:  the weights add up to 1

#include "draw/ground/material_parts.glsl"

const float RAGGED_DEG = 7.0; // how far noise moves a border, in degrees of slope a deviation
const vec2 LEANS_MOST_DEG = vec2(-20.0, 11.0); // how far a relief counts as gentler, and as steeper, at most
const float BEND_M = 25.0; // the radius of curvature that counts in full
const float WIDE_BEND_M = 150.0; // and for what grows: swells and dips of a meadow; and where wind leaves snow
const vec2 SNOW_SLIDES_DEG = vec2(43.0, 53.0); // from which avalanches take some of it, and from which all
const vec2 SNOW_BARES_DEG = vec2(54.0, 64.0); // of the ground itself: what stands so steep in a slope looks out of it
const vec2 STREAM = vec2(5.2, 5.7); // log10 m2 of drainage from which water carries plants away, 16 and 50 hectares
const vec2 CROPS_OUT = vec2(1.0, 1.4); // of noise with a deviation of 0.75: a tenth of a plain, and more of swells

uniform float u_change_m; // what counts as much
uniform vec2 u_bared; // how much gravel lies in streams, and how much rock crops out of gentle ground

float part_weights[PARTS];

void lay(int part, float share) {
    for (int i = 0; i < PARTS; i++) {
        part_weights[i] *= 1.0 - share;
    }
    part_weights[part] += share;
}

// How much of a place each part covers. `stands` and `leans_deg` are the relief's height and how much steeper it is;
// `lost`, 0 to 1, how far a pixel averages it out.
void weigh_parts(vec2 heights_m, vec4 shape, vec2 drifts, vec3 normal, vec2 noise, float stands, float leans_deg,
                 float lost) {
    float ragged = dot(noise, vec2(0.6, 0.5));
    float bend = clamp(BEND_M * shape.b, -1.0, 1.0); // above 0 on ridges
    // soil leaves ridges and gathers in hollows, the small ones of a wall as well
    float slope = shape.a + clamp(RAGGED_DEG * ragged + leans_deg + 4.0 * bend, LEANS_MOST_DEG.x, LEANS_MOST_DEG.y);
    float soft = mix(0.5, 1.8, lost); // what lies between two materials near the eye is their own patches
    for (int i = 0; i < PARTS; i++) {
        part_weights[i] = 0.0;
    }
    part_weights[0] = 1.0;
    lay(1, smoothstep(ground_grass_slope - 4.0 * soft, ground_grass_slope + 4.0 * soft, slope));
    float left = shape.r / u_change_m * (1.0 + 0.5 * ragged - 0.4 * stands) - 0.25;
    float loose = smoothstep(0.0, 0.3, left) * (1.0 - smoothstep(37.0, 44.0, shape.a)); // it rests at up to 38 degrees
    lay(5, loose);
    // streams keep their beds bare; rock looks out where ground swells, in spots
    float stream = u_bared.x * smoothstep(STREAM.x, STREAM.y, shape.g + 0.3 * ragged + 0.2 * stands);
    lay(5, stream * (1.0 - smoothstep(22.0, 34.0, shape.a)));
    float swells = 0.45 * clamp(WIDE_BEND_M * shape.b, -1.0, 1.0) + 0.012 * min(shape.a - 10.0, 16.0);
    float crops = swells + 0.55 * noise.y - 0.3 * noise.x + 0.45 * stands;
    float gentle = 1.0 - smoothstep(24.0, 34.0, shape.a); // steeper ground is bared by its slope
    lay(2, u_bared.y * gentle * (1.0 - loose) * smoothstep(CROPS_OUT.x - 0.2 * lost, CROPS_OUT.y + 0.2 * lost, crops));
    lay(2, (1.0 - 0.85 * loose) * smoothstep(ground_rock_slope - 3.0 * soft, ground_rock_slope + 3.0 * soft, slope));
    float over_sand = (heights_m.x - ground_sand_height) / 4.0 + 0.6 * ragged;
    lay(4, (1.0 - smoothstep(-1.0, 1.0, over_sand)) * (1.0 - smoothstep(14.0, 24.0, slope)));
    // wind blows snow off ridges into hollows, gullies among them, and the side away from the noon sun (+z is north)
    // keeps it longer; it lies as smooth as it drifts, and ends on walls, which rise out of it
    float drift = -clamp(WIDE_BEND_M * drifts.y, -1.0, 1.0);
    float over_line = (heights_m.y - ground_snow_line) / ground_snow_softness
        + 0.45 * noise.x + 0.2 * noise.y - 0.2 * stands + 0.7 * drift + 0.9 * normal.z;
    float slides = drifts.x + 0.3 * RAGGED_DEG * ragged - 5.0 * drift;
    lay(3, smoothstep(-0.25 * soft, 0.25 * soft, over_line)
        * (1.0 - smoothstep(SNOW_SLIDES_DEG.x, SNOW_SLIDES_DEG.y, slides))
        * (1.0 - smoothstep(SNOW_BARES_DEG.x, SNOW_BARES_DEG.y, shape.a + 0.5 * leans_deg)));
}
