// What:   random numbers at the points of a lattice, and places that sway smoothly between them.
// Use:    vec2 at = swayed(place, size, u_sway, u_salt);
// Range:  swirl_number [-1, 1); a place moves by up to `sway` along x and z and stays within 0 ... size
// Twin:   app/fellview/terrain/resample.py, _uniform() and _sample()

#include "lib/hash.glsl"

const float SWIRL_CELLS = 3.0; // from one point of the lattice to the next

float swirl_number(ivec2 point, uint salt) {
    return float(int(hash_mix(hash_mix(uint(point.y) * GOLDEN + salt) + uint(point.x)))) * exp2(-31.0);
}

vec2 swirl(ivec2 point, uint salt) { // (x, z)
    return vec2(swirl_number(point, salt + 1u), swirl_number(point, salt));
}

vec2 swayed(vec2 at, vec2 size, float sway, uint salt) {
    vec2 place = at / SWIRL_CELLS;
    ivec2 corner = ivec2(place);
    vec2 f = place - vec2(corner);
    f = f * f * (3.0 - 2.0 * f);
    vec2 a = swirl(corner, salt), b = swirl(corner + ivec2(1, 0), salt);
    vec2 c = swirl(corner + ivec2(0, 1), salt), d = swirl(corner + ivec2(1, 1), salt);
    vec2 top = a + f.x * (b - a), low = c + f.x * (d - c);
    return clamp(at + sway * (top + f.y * (low - top)), vec2(0.0), size);
}
