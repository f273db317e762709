// What:   the share of the sky's light that each cell gets, of what a plane of its slope would get: that which the
//         whole land leaves, on coarse cells, times what the nearest cells leave, which those are too coarse for:
//         hollows and the feet of crags.
// Source: as in draw/light/occlusion.frag

#include "draw/light/sky_over_horizon.glsl"

const int DIRECTIONS = 8;
const int STEPS = 3;
const float WIDER = 1.7; // each step than the one before: up to 2.9 cells, of which a coarse cell has four

uniform sampler2D u_heights; // coarse_heights.frag
uniform sampler2D u_far_seen; // occlusion.frag
uniform vec2 u_cell_m; // x, z

out float out_seen;

float height_at(vec2 at) {
    return texture(u_heights, at / vec2(textureSize(u_heights, 0))).r;
}

void main() {
    vec2 here = gl_FragCoord.xy, size = vec2(textureSize(u_heights, 0));
    float height_m = height_at(here);
    // one-sided at the borders: the texture repeats its last cell there
    vec2 low = max(here - 1.0, 0.5), high = min(here + 1.0, size - 0.5);
    vec2 slope = vec2(height_at(vec2(high.x, here.y)) - height_at(vec2(low.x, here.y)),
        height_at(vec2(here.x, high.y)) - height_at(vec2(here.x, low.y))) / ((high - low) * u_cell_m);
    vec3 normal = normalize(vec3(-slope.x, 1.0, -slope.y));
    float cell_m = min(u_cell_m.x, u_cell_m.y), seen = 0.0;
    for (int i = 0; i < DIRECTIONS; ++i) {
        float turn = 0.785398163 * (float(i) + 0.5), away = 1.0; // an eighth of a turn
        vec2 way = vec2(cos(turn), sin(turn));
        float steepest = dot(slope, way); // the plane's own horizon
        for (int j = 0; j < STEPS; ++j) {
            steepest = max(steepest, (height_at(here + away * cell_m / u_cell_m * way) - height_m) / (away * cell_m));
            away *= WIDER;
        }
        seen += sky_over_horizon(dot(normal.xz, way), normal.y, steepest);
    }
    seen *= 2.0 / float(DIRECTIONS); // a turn of 2 pi over a whole sky's pi
    out_seen = texture(u_far_seen, here / size).r * clamp(seen / (0.5 + 0.5 * normal.y), 0.0, 1.0);
}
