// What:   what levels of detail need to know of 8x8 cells: lowest and highest height in metres, and the errors of
//         levels 1 to 6, the farthest that the full grid is from them here. A cell of level l is 2^l cells wide; those
//         from level 3 on hold all of the 8x8 cells.

uniform sampler2D u_heights;

#include "draw/land/deviation.glsl"

layout(location = 0) out vec4 out_range_errors; // lowest, highest, levels 1 and 2
layout(location = 1) out vec4 out_errors; // levels 3 to 6

// The error of the cells of so many cells a side.
float fine_error(ivec2 unit, int cells) {
    float largest = 0.0;
    for (int z = 0; z < 8; z += cells) {
        for (int x = 0; x < 8; x += cells) {
            Coarse cell = coarse_cell(unit + ivec2(x, z), cells);
            for (int down = 0; down <= cells; ++down) {
                for (int right = 0; right <= cells; ++right) {
                    ivec2 vertex = on_grid(unit + ivec2(x + right, z + down));
                    largest = max(largest, deviation(cell, vertex, height_at(vertex)));
                }
            }
        }
    }
    return largest;
}

void main() {
    ivec2 unit = 8 * ivec2(gl_FragCoord.xy);
    Coarse third = coarse_cell(unit, 8), fourth = coarse_cell(unit, 16);
    Coarse fifth = coarse_cell(unit, 32), sixth = coarse_cell(unit, 64);
    float lowest = height_at(unit), highest = lowest;
    vec4 errors = vec4(0.0);
    for (int z = 0; z <= 8; ++z) {
        for (int x = 0; x <= 8; ++x) {
            ivec2 vertex = on_grid(unit + ivec2(x, z));
            float height_m = height_at(vertex);
            lowest = min(lowest, height_m);
            highest = max(highest, height_m);
            errors = max(errors, vec4(deviation(third, vertex, height_m), deviation(fourth, vertex, height_m),
                deviation(fifth, vertex, height_m), deviation(sixth, vertex, height_m)));
        }
    }
    out_range_errors = vec4(lowest, highest, fine_error(unit, 2), fine_error(unit, 4));
    out_errors = errors;
}
