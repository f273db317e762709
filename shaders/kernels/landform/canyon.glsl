// What:   canyon: a winding gorge along z in level layers of cliff and slope, with side canyons.
// Use:    vec2 found = landform(p_m);
// Range:  height in metres above the base, and cover 0 ... 1
// Source: C. E. Dutton, "Tertiary history of the Grand Canon district" (1882)
// Twin:   app/fellview/terrain/landforms/canyon.py

#include "lib/landform.glsl"

uniform float u_half_m, u_height_m, u_layers, u_side_canyons, u_floor, u_wander_m, u_stretch, u_rough, u_octaves;
uniform float u_spurs, u_spur_octaves, u_bench, u_cliff, u_bed_m;

const float BENCH_RISE = 0.06, SCREE_RISE = 0.34; // of a layer's height
const float BED_WIDTH = 0.3; // of the floor's half: the bed's half, with its banks
const float SWINGS = 0.6; // of the floor's half: how far a bend of 1 takes the bed aside
const float BENDS = 0.16; // of a bend a half floor along

// How high, 0 ... 1, a wall stands at the share t, 0 ... 1, of its run.
float layered(float t) {
    float scaled = clamp(t, 0.0, 1.0) * u_layers;
    float whole = min(floor(scaled), u_layers - 1.0);
    float rest = scaled - whole;
    float climbs = BENCH_RISE * min(rest / u_bench, 1.0);
    climbs += SCREE_RISE * clamp((rest - u_bench) / (u_cliff - u_bench), 0.0, 1.0);
    climbs += (1.0 - BENCH_RISE - SCREE_RISE) * max((rest - u_cliff) / (1.0 - u_cliff), 0.0);
    return (whole + climbs) / u_layers;
}

vec2 landform(vec2 p) {
    vec2 bend = landform_outline(0.8 * p / u_half_m, u_octaves, 0.42, u_started);
    p += u_rough * u_half_m * bend;
    float crests = landform_ridged(1.1 * p / u_half_m, u_spur_octaves, hash_more(u_started, 5u));
    float path = landform_outline(vec2(p.y * u_stretch, 3.5), 2.0, 0.45, u_started).x;
    float beyond = landform_outline(vec2(p.y * u_stretch + 0.05, 3.5), 2.0, 0.45, u_started).x;
    float turn = u_wander_m * (beyond - path) * u_stretch / 0.05;
    float away = p.x - u_wander_m * path;
    float d = away / (u_half_m * sqrt(1.0 + turn * turn));
    float t = (abs(d) - u_floor) / (1.0 - u_floor);
    // side canyons: cells along the middle, one candidate to a cell and side
    float apart = 2.2 * u_half_m;
    float cell = floor(p.y / apart);
    uint bank = d > 0.0 ? 1u : 0u;
    for (int k = -2; k <= 2; k++) {
        uint key = hash_mix(hash_chain(u_started, int(cell) + k) ^ bank);
        if (hash_unit(key) < u_side_canyons) {
            float onward = abs(d) * (1.0 / (1.5 + 2.5 * hash_unit(hash_more(key, 1u))));
            if (onward < 1.0) {
                float where = (cell + float(k) + hash_unit(hash_more(key, 2u))) * apart;
                float slant = 1.6 * (hash_unit(hash_more(key, 3u)) - 0.5);
                float wide = 0.55 + 0.4 * hash_unit(hash_more(key, 4u));
                float e = abs(p.y - (where + u_half_m * slant * abs(d))) / (u_half_m * wide * (1.0 - 0.45 * onward));
                // narrow at the floor, which climbs to the rim
                t = min(t, onward * onward + max(e - 0.12, 0.0));
            }
        }
    }
    float inside = clamp(t, 0.0, 1.0);
    t += u_spurs * (crests - 0.42) * 2.0 * inside * (1.15 - inside);
    float s = u_height_m * (layered(t) - 1.0 + 0.1 * max(t - 1.0, 0.0));
    if (u_bed_m > 0.0 && u_floor > 0.0) {
        vec2 along = vec2(p.y * BENDS / (u_floor * u_half_m), 7.5);
        float winds = landform_outline(along, 2.0, 0.4, hash_more(u_started, 9u)).x;
        float aside = abs(d / u_floor - SWINGS * winds);
        s -= u_bed_m * (1.0 - smoothstep(0.5 * BED_WIDTH, BED_WIDTH, aside));
    }
    return vec2(s, smoothstep(0.0, 0.1 * u_height_m, -s));
}
