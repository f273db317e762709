// What:   dunes: wind blows along x; crescents, alone or merged to long crests, steep to lee.
// Use:    vec2 found = landform(p_m);
// Range:  height in metres above the base, and cover 0 ... 1
// Source: N. Lancaster, "Geomorphology of desert dunes" (1995)
// Twin:   app/fellview/terrain/landforms/dunes.py

#include "lib/landform.glsl"

uniform float u_spacing_m, u_height_m, u_windward, u_lee, u_defects, u_irregularity, u_octaves;

const float TOE = 0.3; // of the height, rounded to windward
const float CELL = 1.7; // spacings across the wind, of a lattice cell
const float STEP = 0.03; // spacings, for slopes

// How far, in spacings, the lattice is moved along the wind at p.
float drift(vec2 p) {
    return 0.9 * u_irregularity * landform_outline(vec2(0.13, 0.27) * p, u_octaves, 0.35, u_started).x;
}

// s or the dune of the lattice cell that lies `away` from the one of p, whichever is higher; all in spacings.
float crescent(float s, vec2 p, ivec2 away, vec2 slope) {
    float high = u_height_m / u_spacing_m;
    vec2 cell = floor(vec2(p.x, p.y / CELL)) + vec2(away);
    uint h = hash_chain(hash_chain(u_started, int(cell.x)), int(cell.y));
    uint k = hash_more(h, 1u);
    float loose = u_irregularity * (0.3 + 0.7 * u_defects);
    // rows are staggered, as crescents feed those behind their horns
    float odd = float(int(cell.x) & 1);
    float middle_x = cell.x + 0.5 + 0.7 * loose * (landform_eighth(h) - 0.5);
    float middle_z = (cell.y + 0.25 + 0.5 * odd + 0.7 * loose * (landform_eighth(h >> 8) - 0.5)) * CELL;
    float large = 1.0 - 0.65 * u_irregularity * landform_eighth(h >> 16) * landform_eighth(h >> 16);
    float wide = CELL * (1.05 - 0.5 * u_defects) * (0.5 + 0.5 * large);
    float bow = (0.18 + 0.34 * u_defects) * (0.7 + 0.6 * landform_eighth(h >> 24));
    float oblique = 0.5 * u_irregularity * (landform_eighth(k) - 0.5);
    // some cells are left empty
    float here = landform_eighth(k >> 8) >= 0.3 * u_defects * u_irregularity ? 1.0 : 0.0;
    float q = (p.y - middle_z) / wide;
    float top = high * large * here * max(1.0 - q * q, 0.0);
    float d = p.x - middle_x - bow * q * q - oblique * q;
    float steep = length(vec2(slope.x, slope.y - (2.0 * bow * q + oblique) / wide));
    float up = smooth_max(top + d * u_windward / steep, 0.0, TOE * top);
    return max(s, min(up, max(top - d * u_lee / steep, 0.0)));
}

vec2 landform(vec2 p) {
    p /= u_spacing_m;
    float moved = drift(p);
    vec2 slope = vec2(drift(p + vec2(STEP, 0.0)), drift(p + vec2(0.0, STEP)));
    slope = vec2(1.0, 0.0) + (slope - moved) / STEP;
    p.x += moved;
    float s = 0.0;
    for (int i = -1; i <= 1; i++) {
        for (int j = -1; j <= 1; j++) {
            s = crescent(s, p, ivec2(i, j), slope);
        }
    }
    s *= u_spacing_m;
    return vec2(s, smoothstep(0.0, 0.1 * u_height_m, s));
}
