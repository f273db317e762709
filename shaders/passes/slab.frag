// The slab's sides: a cut through earth and rock, in beds that lie a little uneven.

#include "lib/light.glsl"
#include "lib/air.glsl"
#include "lib/picture.glsl"
#include "lib/hash.glsl"
#include "lib/light_here.glsl"

const float BEDS = 14.0; // in the height from the base to the highest ground
const float UNEVEN = 0.45; // of a bed, up and down
const float SOIL = 0.005; // of the land's width
const float JOINT = 0.07; // of a bed, the dark line between two
const float FRESH = 0.62; // of the bare ground's brightness: rock that is cut open has no bleached crust
const vec3 SOIL_TINT = vec3(0.34, 0.27, 0.21); // of the bare ground's colour: humus
const float FOOT_SHADE = 0.35; // of the sky's light that is lost beside the floor, where the side's foot sees little

uniform float u_base_m;
uniform float u_bed_m; // height of a bed as drawn

in vec3 v_position_world;
in float v_top_m;
flat in vec3 v_normal;

out vec4 out_color;

// How far beds are lifted at `share` of the way along the land, in beds.
float lift(float share) {
    return UNEVEN * (sin(5.1 * share + 0.7) + 0.5 * sin(13.7 * share + 2.1) + 0.2 * sin(31.0 * share)) / 1.7;
}

vec3 side_albedo() {
    vec3 rock = FRESH * paint(ground_bare_tint.rgb);
    float width = max(light_land.x, light_land.y);
    vec2 share = v_position_world.xz / width;
    float bed = (v_position_world.y - u_base_m) / u_bed_m + lift(share.x + 1.7 * share.y);
    float number = floor(bed);
    float pixel = max(fwidth(bed), 1e-4);
    float kind = hash_unit(hash_cell(ivec4(int(number), 7, 0, 0), 1, 0u));
    float under = hash_unit(hash_cell(ivec4(int(number) - 1, 7, 0, 0), 1, 0u));
    float tone = mix(under, kind, smoothstep(0.0, max(pixel, 0.15), bed - number)); // one bed passes into the next
    float line = 1.0 - smoothstep(JOINT, JOINT + pixel, min(bed - number, number + 1.0 - bed));
    // a line thinner than a pixel is as faint as it is thin
    rock *= mix(0.72, 1.08, tone) * (1.0 - 0.16 * line * min(2.0 * JOINT / pixel, 1.0));
    rock = mix(rock, rock * vec3(1.08, 0.97, 0.86), smoothstep(0.5, 0.9, fract(3.7 * tone))); // some are rusty
    float depth = (v_top_m - v_position_world.y) / (SOIL * width);
    float edge = max(fwidth(depth), 1e-4);
    return mix(SOIL_TINT * paint(ground_bare_tint.rgb), rock, smoothstep(1.0 - edge, 1.0 + edge, depth));
}

void main() {
    float foot = exp(-(v_position_world.y - u_base_m) / (0.35 * (light_land.w - u_base_m)));
    vec3 light = light_here(side_albedo(), v_normal, vec2(1.0, 1.0 - FOOT_SHADE * foot));
    out_color = vec4(into_display(light), 1.0);
}
