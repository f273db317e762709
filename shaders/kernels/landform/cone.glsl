// What:   cone: a volcano with concave flanks, radial gullies, tongues of lava in folds, and a crater.
// Use:    vec2 found = landform(p_m);
// Range:  height in metres above the base, and cover 0 ... 1
// Source: J. Milne, "On the form of volcanoes", Geological Magazine 5 (1878)
// Twin:   app/fellview/terrain/landforms/cone.py

#include "lib/landform.glsl"

uniform float u_rim_m, u_outer_m, u_length_m, u_top, u_foot, u_height_m, u_depth_m;
uniform float u_irregularity, u_octaves, u_gully_octaves, u_gully, u_folds;

const float TAU = 6.283185307179586;
const int SECTORS = 9;
const float THICK = 0.04; // of the height
const float THIN = 0.55, FRONT = 1.35; // of that: where lava comes out, and at its front
const float FOLD = 0.022; // of the foot's radius: from fold to fold across a tongue
const float BOWED = 0.9; // of half a tongue's width: how far its middle has carried them ahead of its sides
const float OTHER_FOLD = 0.62; // one over the length of the second sort of folds
const float SEEN = 12.0; // farther from the rim it is not lowered

// How thick lava lies at p, 0 ... 1 and a little over at fronts.
float thickness(vec2 p, float bend) {
    float r = length(p);
    float t = (r - u_rim_m) / (u_outer_m - u_rim_m);
    if (t < 0.0 || t > 1.3) {
        return 0.0;
    }
    float turn = (atan(p.y, p.x) / TAU + 0.5) * float(SECTORS) + 0.45 * bend * t;
    float sector = floor(turn);
    float thick = 0.0;
    for (int k = -1; k <= 1; k++) {
        vec4 tongue = landform_entry((int(sector) + k + 2 * SECTORS) % SECTORS); // begin, end, middle, width
        // in lobes, for it came in many pulses
        float middle = sector + float(k) + tongue.z;
        float half_m = u_outer_m * (0.016 + 0.075 * t) * tongue.w;
        half_m *= 1.0 + 0.16 * sin(40.0 * t + 9.0 * middle);
        float away = abs(turn - middle) * r * (TAU / float(SECTORS));
        if (away < half_m && t > tongue.x) {
            away /= half_m;
            float onward = max(t - tongue.y, 0.0) * u_outer_m / half_m;
            // levees of cooled lava along its sides and around its blunt front, steep outwards; between them it sank
            float out_ = min(length(vec2(away, onward)), 1.0);
            float bank = min(5.0 * (1.0 - out_), 1.0) * (0.45 + 0.55 * out_ * out_);
            bank *= THIN + (FRONT - THIN) * min((t - tongue.x) / (tongue.y - tongue.x), 1.0);
            float ahead = (t * (u_outer_m - u_rim_m) + BOWED * half_m * away * away) / (FOLD * u_outer_m) + bend;
            // two lengths, so that no fold is like the next
            float fold = sin(TAU * ahead) + 0.8 * sin(TAU * OTHER_FOLD * ahead);
            bank *= 1.0 + u_folds * (1.0 - out_) * fold;
            thick = max(thick, bank * smoothstep(0.0, 0.08, t - tongue.x));
        }
    }
    return thick;
}

vec2 landform(vec2 p) {
    float most = 1.9 * u_outer_m;
    bool within = dot(p, p) < most * most;
    float amount = 0.13 * u_irregularity * u_outer_m;
    vec2 bend = landform_bent(p, u_outer_m, amount, 1.7 / u_outer_m, u_octaves, 0.45);
    float r = length(p);
    float flank = u_length_m * (u_top * exp(-max(r - u_rim_m, -u_rim_m) / u_length_m) - u_foot);
    float bowl = u_rim_m > 0.0 ? u_height_m - u_depth_m * (1.0 - (r / u_rim_m) * (r / u_rim_m)) : flank;
    float s = smooth_min(flank, bowl, 0.25 * u_depth_m);
    float cut_in = 0.0;
    if (u_irregularity > 0.0 && within) {
        vec2 way = p / max(r, 1e-6 * u_outer_m);
        float t = clamp((r - u_rim_m) / (u_outer_m - u_rim_m), 0.0, 1.0);
        float across = 0.33 * u_irregularity * (bend.x * way.y - bend.y * way.x); // bends of the ground turn the gullies
        vec2 turned = (2.6 + 2.4 * t) * (way + across * vec2(-way.y, way.x));
        float gullies = landform_ridged(turned, u_gully_octaves, u_started);
        float fade = u_irregularity * landform_window(r, u_outer_m);
        // the rim stands lower on some sides, gullies run straight down and join on the way
        float near = (r - u_rim_m) / (0.6 * u_rim_m + 0.02 * u_outer_m);
        if (near * near < SEEN) {
            float breach = landform_pair(1.4 * way + vec2(5.0, 0.0), u_started).x;
            float inside = min(r / (u_rim_m + 0.01 * u_outer_m), 1.0);
            s -= fade * 0.7 * u_depth_m * max(breach, -0.3) * inside * inside * exp(-near * near);
        }
        float worn = t * (1.0 - t) * (1.0 - t) * 4.0;
        cut_in = fade * u_gully * u_height_m * (0.55 - gullies) * worn;
    }
    // lava fills the gullies that it runs over
    if (within) {
        float thick = thickness(p, bend.x);
        s += THICK * u_height_m * thick - cut_in * (1.0 - 0.8 * min(1.6 * thick, 1.0));
    }
    return vec2(s, smoothstep(0.0, 0.1 * u_height_m, s));
}
