// What:   what levels of detail need to know of a block of 64x64 cells, from its 8x8 units of 8x8 cells (see
//         block_detail_8.frag): lowest and highest height in metres, and the errors of levels 1 to 6, none below that
//         of the level before.

uniform sampler2D u_units_range_errors;
uniform sampler2D u_units_errors;

layout(location = 0) out vec4 out_range_errors; // lowest, highest, levels 1 and 2
layout(location = 1) out vec4 out_errors; // levels 3 to 6

void main() {
    ivec2 first_unit = 8 * ivec2(gl_FragCoord.xy);
    ivec2 last_unit = textureSize(u_units_errors, 0) - 1;
    vec4 whole = texelFetch(u_units_range_errors, first_unit, 0);
    vec4 errors = vec4(0.0);
    for (int z = 0; z < 8; ++z) {
        for (int x = 0; x < 8; ++x) {
            ivec2 unit = min(first_unit + ivec2(x, z), last_unit);
            vec4 range_errors = texelFetch(u_units_range_errors, unit, 0);
            whole = vec4(min(whole.x, range_errors.x), max(whole.yzw, range_errors.yzw));
            errors = max(errors, texelFetch(u_units_errors, unit, 0));
        }
    }
    whole.w = max(whole.w, whole.z);
    errors.x = max(errors.x, whole.w);
    errors.yzw = max(errors.yzw, errors.xyz);
    errors.zw = max(errors.zw, errors.yz);
    errors.w = max(errors.w, errors.z);
    out_range_errors = whole;
    out_errors = errors;
}
