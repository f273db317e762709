// What levels of detail need to know of a block of 64x64 cells, from its 8x8 units of 8x8 cells: lowest and highest height
// in metres, and the errors of levels 1 to 6 (see block_detail_8.frag).

uniform sampler2D u_heights;
uniform sampler2D u_units_range_errors;
uniform sampler2D u_units_errors;

#include "lib/deviation.glsl"

layout(location = 0) out vec4 out_range_errors; // lowest, highest, levels 1 and 2
layout(location = 1) out vec4 out_errors; // levels 3 to 6

void main() {
    ivec2 first_unit = 8 * ivec2(gl_FragCoord.xy);
    ivec2 last_unit = textureSize(u_units_errors, 0) - 1;
    vec4 whole = texelFetch(u_units_range_errors, first_unit, 0);
    vec4 errors = vec4(0.0);
    for (int fifth = 0; fifth < 4; ++fifth) {
        ivec2 cell_5 = first_unit + 4 * ivec2(fifth & 1, fifth >> 1);
        float largest_4 = 0.0;
        for (int fourth = 0; fourth < 4; ++fourth) {
            ivec2 cell_4 = cell_5 + 2 * ivec2(fourth & 1, fourth >> 1);
            float largest_3 = 0.0;
            for (int third = 0; third < 4; ++third) {
                ivec2 unit = min(cell_4 + ivec2(third & 1, third >> 1), last_unit);
                vec4 range_errors = texelFetch(u_units_range_errors, unit, 0);
                whole = vec4(min(whole.x, range_errors.x), max(whole.yzw, range_errors.yzw));
                largest_3 = max(largest_3, texelFetch(u_units_errors, unit, 0).r);
            }
            errors.x = max(errors.x, largest_3);
            largest_4 = max(largest_4, largest_3 + deviation(8 * cell_4, 8));
        }
        errors.y = max(errors.y, largest_4);
        errors.z = max(errors.z, largest_4 + deviation(8 * cell_5, 16));
    }
    errors.w = errors.z + deviation(8 * first_unit, 32);
    out_range_errors = whole;
    out_errors = errors;
}
