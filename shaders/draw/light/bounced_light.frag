// What:   the mean light over pi of the ground that each cell sees, by what of it falls on its slope: one bounce.
// Note:   in each direction about the vertical, steps that grow look at the land; where it rises over all before, what
//         lies between is seen, and sends its light. Of a sky from the elevation e1 to e2 a ground of normal n gets,
//         along the direction a, F(e2) - F(e1), F(e) = n.a/2 (e + sin e cos e) + n.y/2 sin² e. What of the land is seen
//         in all, the pixels' own normals and their share of sky tell better.
// Source: horizons as in draw/light/occlusion.frag

const int DIRECTIONS = 8;
const int STEPS = 8; // to 61 cells, about the width of the land
const float WIDER = 1.8; // each step than the one before
const float TIGHT_OCTAVES = 2.0; // light is a mean over this many octaves less than the distance
const float PI = 3.14159265;
const float AROUND = 0.02; // of a whole hemisphere, what the mean around counts: where hardly any ground is seen

uniform sampler2D u_sent; // light and the height as drawn, sent_light.frag, with its coarser levels
uniform vec2 u_cell_m; // x, z

out vec4 out_light;

void main() {
    vec2 here = gl_FragCoord.xy, size = vec2(textureSize(u_sent, 0));
    vec2 low = max(here - 1.0, 0.5), high = min(here + 1.0, size - 0.5), run_m = (high - low) * u_cell_m;
    float height_m = textureLod(u_sent, here / size, 0.0).a;
    vec2 slope = vec2(
        textureLod(u_sent, vec2(high.x, here.y) / size, 0.0).a - textureLod(u_sent, vec2(low.x, here.y) / size, 0.0).a,
        textureLod(u_sent, vec2(here.x, high.y) / size, 0.0).a - textureLod(u_sent, vec2(here.x, low.y) / size, 0.0).a)
        / run_m;
    vec3 normal = normalize(vec3(-slope.x, 1.0, -slope.y));
    float cell_m = min(u_cell_m.x, u_cell_m.y);
    vec3 total = AROUND * textureLod(u_sent, here / size, 2.0).rgb;
    float share = AROUND;
    for (int i = 0; i < DIRECTIONS; ++i) {
        float turn = 2.0 * PI * (float(i) + 0.5) / float(DIRECTIONS);
        vec2 way = vec2(cos(turn), sin(turn));
        float level = dot(normal.xz, way);
        float steepest = dot(slope, way), angle = atan(steepest); // the plane's own horizon
        float part = steepest / (1.0 + steepest * steepest);
        float below = 0.5 * level * (angle + part) + 0.5 * normal.y * part * steepest;
        float away = exp2(fract(0.618034 * float(i))); // directions begin apart
        for (int j = 0; j < STEPS; ++j) {
            vec2 there = (here + way * away * cell_m / u_cell_m) / size;
            vec4 sent = textureLod(u_sent, there, max(log2(away) - TIGHT_OCTAVES, 0.0));
            // after the last step the ground goes on level
            float rise = j == STEPS - 1 ? max(0.0, steepest) : (sent.a - height_m) / (away * cell_m);
            if (rise > steepest) {
                steepest = rise;
                part = rise / (1.0 + rise * rise);
                float reached = 0.5 * level * (atan(rise) + part) + 0.5 * normal.y * part * rise;
                total += (reached - below) * 2.0 / float(DIRECTIONS) * sent.rgb;
                share += (reached - below) * 2.0 / float(DIRECTIONS);
                below = reached;
            }
            away *= WIDER;
        }
    }
    out_light = vec4(total / share, 1.0);
}
