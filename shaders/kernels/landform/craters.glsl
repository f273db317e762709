// What:   crater field: impacts of every size, the younger over the older.
// Use:    vec2 found = landform(p_m);
// Range:  height in metres above the base, and cover 1
// Source: R. J. Pike (1977); T. R. McGetchin, M. Settle, J. W. Head (1973)
// Twin:   app/fellview/terrain/landforms/craters.py

#include "lib/landform.glsl"

uniform float u_bend_m, u_frequency, u_octaves, u_depth, u_corner_x, u_corner_z, u_tiles;
uniform float u_small, u_ageing, u_lattice_m, u_lattices, u_ragged;

const float DEPTH = 0.4;
const float RIM = 0.072;
const float REACH = 2.5;
const float PEAK = 0.4;
const float SMALL = 0.84; // of a lattice cell: its widest crater
const float OFTEN = 0.61; // of the cells
const float OLDEST = 0.93;
const float TERRACES = 8.0, TREADS = 0.85; // of complex walls: a radius; how level, where 1 is
const vec2 BENDS = vec2(0.6, 0.5); // of terraces where u_ragged is 1, by three and by two a turn; in terraces
const float ENDS = 0.8; // of a terrace's tread there, that comes and goes three times a turn
const float TURN = 6.2831853;

// The ground h with a crater in it, at rho over the plane that it was dug into, in the direction `away` from its centre.
float crater(float h, float rho, vec2 away, float plane, float radius, float fresh, float bottom) {
    float ground = plane + (h - plane) * smoothstep(0.9, 1.5, rho);
    float rim = RIM * radius * fresh;
    float deep = DEPTH * radius * fresh;
    float slumped = rho;
    if (bottom < 1.0) {
        float level = TREADS * fresh * smoothstep(0.55, 0.68, rho) * (1.0 - smoothstep(0.93, 1.0, rho));
        float ends = ENDS * u_ragged;
        level *= (1.0 + ends * away.y * (3.0 - 4.0 * away.y * away.y)) / (1.0 + ends);
        float turns = BENDS.x * away.x * (4.0 * away.x * away.x - 3.0) + 2.0 * BENDS.y * away.x * away.y;
        float bent = TERRACES * rho + u_ragged * turns;
        slumped = rho - level * sin(TURN * bent) * (1.0 / (TURN * TERRACES));
    }
    float bowl = rim - deep * (1.0 - slumped * slumped);
    float near = max(rho, 0.3);
    float p = smooth_min(bowl, rim / (near * near * near), deep * (0.02 + 0.6 * (1.0 - fresh)));
    if (bottom < 1.0) {
        p = smooth_max(p, rim - deep * bottom, 0.15 * deep * bottom);
        p += PEAK * deep * bottom * exp(-rho * rho / 0.03);
    }
    return ground + p * (1.0 - smoothstep(2.0, 2.5, rho));
}

// The craters of the lattices at p.
float pits(vec2 p) {
    float total = 0.0;
    float wide = u_lattice_m;
    uint started = hash_more(u_started, 11u);
    for (int n = 0; n < int(u_lattices); n++) {
        uint own = hash_mix(started + uint(n));
        vec2 at = p / wide;
        ivec2 cell = ivec2(floor(at));
        for (int i = -1; i <= 1; i++) {
            for (int j = -1; j <= 1; j++) {
                uint key = hash_chain(hash_chain(own, cell.x + i), cell.y + j);
                if (hash_unit(key) < OFTEN) {
                    vec2 jitter = vec2(hash_unit(hash_more(key, 1u)), hash_unit(hash_more(key, 2u)));
                    vec2 away = at - (vec2(cell + ivec2(i, j)) + jitter);
                    float radius = SMALL / 2.0 * (0.5 + 0.5 * hash_unit(hash_more(key, 3u)));
                    float rho = length(away) / radius;
                    if (rho < 2.0) {
                        float fresh = u_small * (1.0 - OLDEST * u_ageing * hash_unit(hash_more(key, 4u)));
                        float rim = RIM * radius * u_depth * fresh;
                        float deep = DEPTH * radius * u_depth * fresh;
                        float near = max(rho, 0.3);
                        float bowl = rim - deep * (1.0 - rho * rho);
                        float p = smooth_min(bowl, rim / (near * near * near), deep * (0.02 + 0.6 * (1.0 - fresh)));
                        total += wide * p * (1.0 - smoothstep(1.5, 2.0, rho));
                    }
                }
            }
        }
        wide *= 0.5;
    }
    return total;
}

vec2 landform(vec2 p) {
    p += u_bend_m * landform_outline(p * u_frequency, u_octaves, 0.5, u_started);
    ivec2 span = landform_span(p, vec2(u_corner_x, u_corner_z), u_tiles);
    float h = 0.0;
    for (int n = span.x; n < span.x + span.y; n++) {
        vec4 place = landform_entry(2 * n); // x, z, radius, fresh
        vec2 from = p - place.xy;
        float square = dot(from, from);
        if (square < REACH * REACH * place.z * place.z) {
            vec4 ground = landform_entry(2 * n + 1); // height, slopes, floor
            float plane = ground.x + dot(ground.yz, from);
            float far = sqrt(square);
            h = crater(h, far / place.z, from / (far + 1e-6), plane, place.z * u_depth, place.w, ground.w);
        }
    }
    return vec2(h + pits(p), 1.0);
}
