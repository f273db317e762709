// What:   how far the land's features slant where they meet each of its borders: what a ridge is moved along the border
//         a step inward. Twice that moves the mirrored land so that ridges, valleys and crests cross the border
//         straight.
// Range:  a row each for the borders x = 0, x = 1, z = 0, z = 1; columns go along them
// Note:   the slant t has the least squares of slopes along (1, t), sum (g_in + t g_along)^2: t = -sum g_in g_along /
//         sum g_along^2. A share of sum g_in^2 in the divisor holds it to 1 / (2 sqrt(share)), and to little where
//         features lie along the border, of which none crosses.

uniform sampler2D u_land; // its heights, with their coarser levels
uniform float u_level; // of the heights whose slopes are taken
uniform vec2 u_land_m; // its sides, x and z
uniform vec2 u_size; // of the output

out float out_slant;

const float STEP = 0.012; // sides over which slopes are taken, about a texel of that level
const float ALONG = 0.18, INWARD = 0.12; // sides from the place to whose features little weight is given
const int PLACES_ALONG = 33, PLACES_INWARD = 8; // that are looked at, up to twice as far
const float HELD = 0.2; // share of the slopes across: a slant of 1.12 at the most

float land_m(vec2 at) {
    return textureLod(u_land, at, u_level).r;
}

void main() {
    int border = int(gl_FragCoord.y);
    bool across_x = border < 2; // whether inward is along x
    bool far_side = border % 2 == 1;
    float along = gl_FragCoord.x / u_size.x;
    float in_along = 0.0, along_along = 0.0, in_in = 0.0;
    for (int i = 0; i < PLACES_ALONG; i++) {
        float beside = 2.0 * ALONG * (2.0 * float(i) / float(PLACES_ALONG - 1) - 1.0);
        if (abs(along + beside - 0.5) > 0.5) {
            continue;
        }
        for (int j = 0; j < PLACES_INWARD; j++) {
            float inward = STEP + 2.0 * INWARD * float(j) / float(PLACES_INWARD);
            vec2 local = vec2(far_side ? 1.0 - inward : inward, along + beside);
            vec2 inward_step = vec2(far_side ? -STEP : STEP, 0.0), along_step = vec2(0.0, STEP);
            vec2 at = across_x ? local : local.yx;
            inward_step = across_x ? inward_step : inward_step.yx;
            along_step = across_x ? along_step : along_step.yx;
            vec2 lengths_m = across_x ? u_land_m : u_land_m.yx;
            float rise_in = (land_m(at + inward_step) - land_m(at - inward_step)) / lengths_m.x;
            float rise_along = (land_m(at + along_step) - land_m(at - along_step)) / lengths_m.y;
            float weight = exp(-beside * beside / (ALONG * ALONG) - inward * inward / (INWARD * INWARD));
            in_along += weight * rise_in * rise_along;
            along_along += weight * rise_along * rise_along;
            in_in += weight * rise_in * rise_in;
        }
    }
    vec2 lengths_m = across_x ? u_land_m : u_land_m.yx;
    // in sides a side
    out_slant = -in_along / max(along_along + HELD * in_in, 1e-12) * lengths_m.x / lengths_m.y;
}
