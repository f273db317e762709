// What:   the share of the sky's light that each cell gets, of what a plane of its slope would get alone in the world.
// Note:   in each direction about the vertical the horizon is the steepest line to the land there, looked for in steps
//         that grow by a third of an octave, on heights that are as coarse as the steps are long; then around the
//         steepest, in steps that halve, on finer heights.
// Source: Max (1988), doi:10.1007/BF01905562, horizon mapping

#include "draw/light/sky_over_horizon.glsl"

const int DIRECTIONS = 8;
const float PER_OCTAVE = 3.0;
const float FIRST_CELLS = 1.0;
const int HALVINGS = 3; // to a twelfth of a third of an octave either way: 2 % of the distance
const float COARSE_OCTAVES = 3.0; // heights are means over this many octaves less than the distance
const float FINE_OCTAVES = 5.0;
const float PI = 3.14159265;

uniform sampler2D u_heights; // with its coarser levels
uniform vec2 u_cell_m; // x, z
uniform int u_steps;

out float out_seen;

float height_at(vec2 at, float level) {
    return textureLod(u_heights, at / vec2(textureSize(u_heights, 0)), level).r;
}

// The slope of the line from here to the land `away` cells off, the smaller side of a cell counting; beyond the land the
// steepest down.
float slope_to(vec2 here, float height_m, vec2 way, float away, float finer) {
    vec2 size = vec2(textureSize(u_heights, 0));
    float away_m = away * min(u_cell_m.x, u_cell_m.y);
    vec2 there = here + way * away_m / u_cell_m;
    if (any(lessThan(there, vec2(0.0))) || any(greaterThan(there, size))) {
        return -1e30;
    }
    return (height_at(there, max(log2(away) - finer, 0.0)) - height_m) / away_m;
}

void main() {
    vec2 here = gl_FragCoord.xy;
    vec2 size = vec2(textureSize(u_heights, 0));
    float height_m = height_at(here, 0.0);
    // one-sided at the borders: the texture repeats its last cell there
    vec2 low = max(here - 1.0, 0.5);
    vec2 high = min(here + 1.0, size - 0.5);
    vec2 run_m = (high - low) * u_cell_m;
    vec2 slope = vec2(
        height_at(vec2(high.x, here.y), 0.0) - height_at(vec2(low.x, here.y), 0.0),
        height_at(vec2(here.x, high.y), 0.0) - height_at(vec2(here.x, low.y), 0.0)) / run_m;
    vec3 normal = normalize(vec3(-slope.x, 1.0, -slope.y));
    float seen = 0.0;
    for (int i = 0; i < DIRECTIONS; ++i) {
        float turn = 2.0 * PI * (float(i) + 0.5) / float(DIRECTIONS);
        vec2 way = vec2(cos(turn), sin(turn));
        float steepest = dot(slope, way); // the plane's own horizon
        // directions begin apart, so that none of them looks past a ridge that others miss
        float away = FIRST_CELLS * exp2(fract(0.618034 * float(i)) / PER_OCTAVE);
        float most = -1e30;
        float steepest_away = away;
        for (int j = 0; j < u_steps; ++j) {
            float found = slope_to(here, height_m, way, away, COARSE_OCTAVES);
            if (found > most) {
                most = found;
                steepest_away = away;
            }
            away *= exp2(1.0 / PER_OCTAVE);
        }
        float apart = exp2(0.5 / PER_OCTAVE);
        most = slope_to(here, height_m, way, steepest_away, FINE_OCTAVES);
        for (int j = 0; j < HALVINGS; ++j) {
            float middle = steepest_away;
            float nearer = slope_to(here, height_m, way, middle / apart, FINE_OCTAVES);
            float farther = slope_to(here, height_m, way, middle * apart, FINE_OCTAVES);
            if (nearer > most) {
                most = nearer;
                steepest_away = middle / apart;
            }
            if (farther > most) {
                most = farther;
                steepest_away = middle * apart;
            }
            apart = sqrt(apart);
        }
        seen += sky_over_horizon(dot(normal.xz, way), normal.y, max(steepest, most));
    }
    seen *= 2.0 / float(DIRECTIONS); // a turn of 2 pi over a whole sky's pi
    out_seen = clamp(seen / (0.5 + 0.5 * normal.y), 0.0, 1.0);
}
