// What levels of detail need to know of 8x8 cells: lowest and highest height in metres, and the errors of levels 1 to 3.
// A cell of level l is 2^l cells wide. Its error, the farthest that the full grid is from its two triangles, is at most
// the largest error of its four cells of level l - 1 plus its own deviation from their corners, since the surfaces of both
// levels are flat between the vertices of the finer one.

uniform sampler2D u_heights;

#include "lib/deviation.glsl"

layout(location = 0) out vec4 out_range_errors; // lowest, highest, levels 1 and 2
layout(location = 1) out vec4 out_errors; // level 3

void main() {
    ivec2 unit = 8 * ivec2(gl_FragCoord.xy);
    float lowest = height_at(unit), highest = lowest;
    for (int z = 0; z <= 8; ++z) {
        for (int x = 0; x <= 8; ++x) {
            float height_m = height_at(unit + ivec2(x, z));
            lowest = min(lowest, height_m);
            highest = max(highest, height_m);
        }
    }
    vec3 errors = vec3(0.0);
    for (int second = 0; second < 4; ++second) {
        ivec2 cell_2 = unit + 4 * ivec2(second & 1, second >> 1);
        float largest = 0.0;
        for (int first = 0; first < 4; ++first) {
            largest = max(largest, deviation(cell_2 + 2 * ivec2(first & 1, first >> 1), 1));
        }
        errors.x = max(errors.x, largest);
        errors.y = max(errors.y, largest + deviation(cell_2, 2));
    }
    errors.z = errors.y + deviation(unit, 4);
    out_range_errors = vec4(lowest, highest, errors.xy);
    out_errors = vec4(errors.z, 0.0, 0.0, 0.0);
}
