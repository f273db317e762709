// What:   each lattice vertex' wave: cycles a unit of the lattice along x and z, and its phase in cycles.
// Twin:   app/fellview/terrain/steps/crags.py, _set_waves()

#include "lib/hash.glsl"

uniform sampler2D u_heights;
uniform vec2 u_unit;   // cells along x and z
uniform vec2 u_radius; // of the disc, cells along x and z
uniform float u_cycles; // a unit
uniform float u_unskew;
uniform uint u_seed;
uniform vec2 u_circle[8];

out vec4 out_wave;

float at(vec2 place) {
    ivec2 cells = textureSize(u_heights, 0);
    place = clamp(place, vec2(0.0), vec2(cells - 1));
    ivec2 c = min(ivec2(place), cells - 2);
    vec2 t = place - vec2(c);
    float here = texelFetch(u_heights, c, 0).r, beside = texelFetch(u_heights, c + ivec2(1, 0), 0).r;
    float above = here + t.x * (beside - here);
    here = texelFetch(u_heights, c + ivec2(0, 1), 0).r;
    beside = texelFetch(u_heights, c + ivec2(1, 1), 0).r;
    float below = here + t.x * (beside - here);
    return above + t.y * (below - above);
}

void main() {
    ivec2 vertex = ivec2(gl_FragCoord.xy);
    float back = float(vertex.x + vertex.y) * u_unskew;
    vec2 place = (vec2(vertex) - back) * u_unit;
    vec2 cells = vec2(textureSize(u_heights, 0));
    out_wave = vec4(0.0);
    if (any(lessThan(place, -u_unit)) || any(greaterThan(place, cells + u_unit))) {
        return; // no cell's triangle
    }
    vec2 down = vec2(0.0);
    for (int k = 0; k < 8; k++) {
        down += at(place + u_circle[k] * u_radius) * u_circle[k];
    }
    uint bits = hash_mix(hash_mix(uint(vertex.x) ^ u_seed) ^ uint(vertex.y));
    float wave = u_cycles * (0.75 + 0.5 * hash_unit(hash_mix(bits)));
    wave /= sqrt(down.y * down.y + down.x * down.x) + 1e-6;
    out_wave = vec4(-down.y * wave, down.x * wave, hash_unit(bits) - 1.0, 0.0);
}
