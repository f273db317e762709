// What:   coast: headlands with cliffs, bays with beaches, a wave-cut shelf, stacks; land along x.
// Use:    vec2 found = landform(p_m);
// Range:  height in metres above the base, and cover 0 ... 1
// Source: A. S. Trenhaile, "The geomorphology of rock coasts" (1987)
// Twin:   app/fellview/terrain/landforms/coast.py

#include "lib/landform.glsl"

uniform float u_height_m, u_headlands_m, u_frequency, u_bend_m, u_bend_frequency, u_octaves, u_shelf_m;
uniform float u_shelf, u_cliff, u_beach, u_deep, u_corner_x, u_corner_z, u_tiles, u_geo_m, u_ribs_m, u_rib_m;

const float SEA_FLOOR = 0.6; // of the height, below the water
const float OUT = 1.3; // of u_headlands_m: how far a headland's noise of 1 pushes out
const float LONG = 0.25; // of the frequency along the shore: that across it
const float AHEAD = 0.02; // of a headland's wave, for slopes
const float SKERRY_WALL = 0.35; // tangent
const float FOOT = 1.25; // radii of a stack, to the edge of the rock at its foot
const float PLANED = 0.01; // of a stack's height: how high that lies
const float BENT = 0.3; // of the shore's bends: a stack's, lest it break up
const float DOME = 0.28; // of a stack's top: how much lower its brink lies than its middle
const float RAGGED = 0.4; // of a stack's top: what a bend of 1 adds
const float SLANTS = 0.22; // of a stack's top: how much higher it stands where beds come up, and lower where they go down
const float BACK = 0.9, BACK_RAGGED = 0.6, BACK_SLANTS = 0.3; // of a skerry's top, as of a stack's
const float TOP_RIBS = 2.0, BACK_RIBS = 1.6; // of the shelf's: how high beds stand out of a stack's top and a skerry
const float FALLEN = 0.14; // of a stack's height: how high what fell off it leans against its wall
const float FALLEN_SLOPE = 0.65; // tangent
const float CLEFT = 5.0; // one over the bend at which a cleft ends
const vec2 ACROSS = vec2(0.6, 0.8); // the shelf's ribs
const float GENTLE = 0.65; // of a rib that climbs

// How high, -1/2 ... 1/2, the shelf's rock stands at the place `across` its ribs, in ribs.
float rib(float across) {
    float share = across - floor(across);
    return min(share / GENTLE, (1.0 - share) / (1.0 - GENTLE)) - 0.5;
}

vec2 landform(vec2 p) {
    float reach = landform_outline(vec2(LONG, 1.0) * p * u_frequency, 3.0, 0.45, u_started).x;
    vec2 ahead = vec2(LONG, 1.0) * p * u_frequency + vec2(0.0, AHEAD);
    float beyond = landform_outline(ahead, 3.0, 0.45, u_started).x;
    vec2 bend = landform_outline(p * u_bend_frequency, u_octaves, 0.46, hash_more(u_started, 9u));
    float d = p.x + u_headlands_m * OUT * reach + u_bend_m * bend.x;
    float lean = u_headlands_m * OUT * u_frequency / AHEAD * (beyond - reach);
    float exposed = u_headlands_m > 0.0 ? smoothstep(-0.28, 0.2, reach) : 1.0;
    d -= u_geo_m * exposed * max(1.0 - CLEFT * abs(bend.y), 0.0);
    exposed += (1.0 - exposed) * smoothstep(0.0, 8.0 * u_shelf_m, d); // behind the bays the land rises too
    float high = u_height_m * (0.15 + 0.85 * exposed);
    float wall = (u_beach + (u_cliff - u_beach) * exposed) / sqrt(1.0 + lean * lean);
    float top = high * (0.8 + 0.2 * clamp(d / (6.0 * u_shelf_m), 0.0, 1.0));
    float land = smooth_min(d * wall, top, 0.12 * high);
    float sea = min(d * u_shelf, -u_shelf_m * u_shelf + (d + u_shelf_m) * u_deep);
    if (u_ribs_m > 0.0 && d < 0.0 && d > -u_shelf_m) {
        float across = (ACROSS.x * p.x + ACROSS.y * p.y + 0.5 * u_bend_m * bend.y) / u_rib_m;
        sea += u_ribs_m * min(d / (-0.1 * u_shelf_m), 1.0) * (1.0 + d / u_shelf_m) * rib(across);
    }
    float s = d > 0.0 ? land : smooth_max(sea, -SEA_FLOOR * u_height_m, 0.2 * u_height_m);
    ivec2 span = landform_span(p, vec2(u_corner_x, u_corner_z), u_tiles);
    vec2 bent = p + BENT * u_bend_m * bend;
    for (int n = span.x; n < span.x + span.y; n++) {
        vec4 rock = landform_entry(2 * n); // x, z, radius, top
        if (rock.z > 0.0) {
            float wall_tan = landform_entry(2 * n + 1).x;
            vec2 off = bent - rock.xy;
            float away = length(off);
            float rise = (rock.z - away) * wall_tan;
            float share = min(away / rock.z, 1.0);
            float bed = u_ribs_m * rib(dot(ACROSS, bent) / u_rib_m);
            float lean = clamp(dot(ACROSS, off) / rock.z, -1.0, 1.0);
            // the rock that waves have planed about its foot
            float foot = min((FOOT * rock.z - away) * SKERRY_WALL, PLANED * rock.w);
            float stands;
            if (wall_tan > 1.0) {
                float fallen = FALLEN * rock.w;
                foot = min(max(foot, fallen + (rock.z - away) * FALLEN_SLOPE), fallen);
                float crown = rock.w * (1.0 - DOME * share * share + RAGGED * bend.x + SLANTS * lean);
                stands = smooth_min(rise, crown + TOP_RIBS * bed, 0.05 * rock.w);
            } else {
                float ragged = BACK_RAGGED * bend.x + BACK_SLANTS * lean;
                float crown = rock.w * (1.0 - BACK * share * share + ragged);
                stands = smooth_min(rise, crown, 0.5 * rock.w);
                stands += BACK_RIBS * bed * clamp(1.0 + stands / rock.w, 0.0, 1.0);
            }
            s = max(s, max(foot, stands));
        }
    }
    return vec2(s, smoothstep(-0.02 * u_height_m, 0.15 * u_height_m, s));
}
