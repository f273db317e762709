// What:   the heights of a coarser grid over the same land: each cell the mean (x) and the highest (y) of the vertices
//         that it covers.

const int MOST = 16; // vertices a side of a cell; beyond that the mean is of 16² spread over the cell

uniform sampler2D u_heights;
uniform ivec2 u_size;
uniform float u_exaggeration;

out vec2 out_height_m;

void main() {
    vec2 across = vec2(textureSize(u_heights, 0)) / vec2(u_size); // vertices a cell
    ivec2 taken = clamp(ivec2(round(across)), 1, MOST);
    vec2 first = (gl_FragCoord.xy - 0.5) * across;
    float sum = 0.0;
    float highest = -1e30;
    for (int j = 0; j < taken.y; ++j) {
        for (int i = 0; i < taken.x; ++i) {
            vec2 at = first + (vec2(i, j) + 0.5) * across / vec2(taken) - 0.5; // vertex k stands at k
            float height_m = texture(u_heights, (at + 0.5) / vec2(textureSize(u_heights, 0))).r;
            sum += height_m;
            highest = max(highest, height_m);
        }
    }
    out_height_m = u_exaggeration * vec2(sum / float(taken.x * taken.y), highest);
}
