// What:   the slabs that beds and joints cut rock into: how each leans, and how dark it and the cracks around it are.
//         Beds dip one way; two sets of joints cross them steeply and end at them. Slabs of two sizes, large and small.
// Use:    vec4 leans_and_shade = slabs_at(position_m, noise, grain, pixel_m);  noise: of deviation 1, two broad ones by
//         which beds and joints bend, and one by which cracks are open or closed; grain: the rock's, -1 to 1
// Range:  xyz: slopes of the ground, whose mean is 0; w: a factor of the albedo, 1 on the mean from afar
// Source: joints that are confined to beds and as far apart as these are thick, within a factor of three: M. R. Gross,
//         "The origin and spacing of cross joints" (1993), doi:10.1016/0191-8141(93)90055-P

#include "lib/hash.glsl"

const vec3 BED = vec3(0.27, 0.92, 0.28); // across beds, which dip 23 degrees
const vec3 JOINT = vec3(0.82, -0.12, 0.56), CROSS_JOINT = vec3(-0.56, 0.24, 0.79);
const vec3 SLAB_M = vec3(9.0, 26.0, 17.0); // from bed to bed, and from joint to joint
const float LARGER = 4.3; // times, of slabs that are told from farther away; no whole number, or their borders met
const float SLABS_LEAN = 0.34; // slopes either way: cracks open by frost, and slabs have slid on their beds
const float BENT_M = 2.0; // a deviation
const float CRACK_M = 0.3; // how wide a crack looks with what is loose in it
const float CRACK_RAGGED_M = 0.35; // how far the grain of the rock moves its sides
const float CRACK_DARK = 0.45; // of a crack's albedo, what the hollow keeps away
const float SLABS_DIFFER = 0.16; // of their albedo, for some broke off later than others
const vec2 SLABS_TOLD = vec2(0.12, 0.45); // of the distance of beds, pixels that begin to lose them, and have none

vec4 slabs_of(vec3 position_m, vec3 slab_m, float opened, float ragged_m, float pixel_m, uint own) {
    float told = 1.0 - smoothstep(SLABS_TOLD.x, SLABS_TOLD.y, pixel_m / slab_m.x);
    vec3 at = vec3(dot(BED, position_m), dot(JOINT, position_m), dot(CROSS_JOINT, position_m)) / slab_m;
    at.x += 0.3 * sin(2.3 * at.x); // thick beds and thin ones
    int bed = int(floor(at.x));
    uint of_bed = hash_chain(own, bed);
    at.yz += vec2(of_bed & 0xffu, (of_bed >> 8) & 0xffu) / 256.0;
    at.yz += 0.3 * sin(2.6 * at.yz);
    vec3 within = fract(at);
    uint slab = hash_chain(hash_chain(of_bed, int(floor(at.y))), int(floor(at.z)));
    vec3 leans = vec3(slab & 0x3ffu, (slab >> 10) & 0x3ffu, (slab >> 20) & 0x3ffu) / 1023.0 - 0.5;
    vec3 apart_m = (0.5 - abs(within - 0.5)) * slab_m;
    float nearest_m = max(min(apart_m.x, min(apart_m.y, apart_m.z)) + ragged_m, 0.0);
    float wide_m = max(CRACK_M, 0.7 * pixel_m);
    float crack = opened * (CRACK_M / wide_m) * (1.0 - smoothstep(0.0, wide_m, nearest_m));
    return vec4(2.0 * SLABS_LEAN * told * leans, 1.0 + told * (2.0 * SLABS_DIFFER * leans.y - CRACK_DARK * crack));
}

vec4 slabs_at(vec3 position_m, vec3 noise, float grain, float pixel_m) {
    vec3 bent_m = position_m + BENT_M * noise.xyx;
    float ragged_m = CRACK_RAGGED_M * grain;
    float opened = clamp(0.5 + 0.6 * noise.z, 0.0, 1.0);
    vec4 small = slabs_of(bent_m, SLAB_M, opened, ragged_m, pixel_m, GOLDEN);
    vec4 large = slabs_of(bent_m, LARGER * SLAB_M, 1.0 - 0.5 * opened, ragged_m, pixel_m, GOLDEN + 1u);
    return vec4(small.xyz + large.xyz, small.w * large.w);
}
