// What:   coast: headlands with cliffs, bays with beaches, a wave-cut shelf, stacks; land along x.
// Use:    vec2 found = landform(p_m);
// Range:  height in metres above the base, and cover 0 ... 1
// Source: A. S. Trenhaile, "The geomorphology of rock coasts" (1987)
// Twin:   app/fellview/terrain/landforms/coast.py

#include "lib/landform.glsl"

uniform float u_height_m, u_headlands_m, u_frequency, u_bend_m, u_bend_frequency, u_octaves, u_shelf_m, u_stacks;
uniform float u_stack_m, u_shelf, u_cliff, u_beach, u_deep;

const float SEA_FLOOR = 0.6; // of the height, below the water
const float APART = 6.0; // radii of the widest stack, from one candidate to the next
const float STACK_WALL = 4.5; // tangent

vec2 landform(vec2 p) {
    float reach = landform_outline(vec2(0.25, 1.0) * p * u_frequency, 3.0, 0.45, u_started).x;
    vec2 bend = landform_outline(p * u_bend_frequency, u_octaves, 0.38, hash_more(u_started, 9u));
    float straight = p.x + u_headlands_m * 1.3 * reach;
    float d = straight + u_bend_m * bend.x;
    float exposed = u_headlands_m > 0.0 ? smoothstep(-0.28, 0.2, reach) : 1.0;
    exposed += (1.0 - exposed) * smoothstep(0.0, 8.0 * u_shelf_m, d); // behind the bays the land rises too
    float high = u_height_m * (0.15 + 0.85 * exposed);
    float wall = u_beach + (u_cliff - u_beach) * exposed;
    float top = high * (0.8 + 0.2 * clamp(d / (6.0 * u_shelf_m), 0.0, 1.0));
    float land = smooth_min(d * wall, top, 0.12 * high);
    float sea = min(d * u_shelf, -u_shelf_m * u_shelf + (d + u_shelf_m) * u_deep);
    float s = d > 0.0 ? land : smooth_max(sea, -SEA_FLOOR * u_height_m, 0.2 * u_height_m);
    // stacks: cells along the shore, one candidate to a cell; bent less than the shore, lest they break up
    float apart = APART * u_stack_m;
    float along = p.y + 0.3 * u_bend_m * bend.y;
    float cell = floor(along / apart);
    if (d < 0.0 && d > -2.0 * (u_shelf_m + 2.0 * u_stack_m)) {
        for (int k = -1; k <= 1; k++) {
            uint key = hash_mix(hash_more(u_started, 7u) ^ uint(int(cell) + k));
            if (hash_unit(key) < u_stacks) {
                float own = u_stack_m * (0.4 + 0.8 * hash_unit(hash_more(key, 1u)));
                float from_shore = u_shelf_m * (0.15 + 0.6 * hash_unit(hash_more(key, 2u)));
                float away = straight + 0.3 * u_bend_m * bend.x + own + from_shore;
                float aside = along - (cell + float(k) + 0.2 + 0.6 * hash_unit(hash_more(key, 3u))) * apart;
                float rise = (own - length(vec2(away, aside))) * STACK_WALL;
                float most = high * exposed * (0.35 + 0.5 * hash_unit(hash_more(key, 4u)));
                s = max(s, smooth_min(rise, most, 0.2 * most));
            }
        }
    }
    return vec2(s, smoothstep(-0.02 * u_height_m, 0.15 * u_height_m, s));
}
