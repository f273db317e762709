// What:   the land read at each cell plus its shift, bicubically.
// Twin:   app/fellview/terrain/steps/perturb.py, _bend()

#include "lib/catmull_rom.glsl"

uniform sampler2D u_heights;
uniform sampler2D u_shift_z; // in parts of the reach
uniform sampler2D u_shift_x;
uniform vec2 u_reach; // along x and z, in cells

out float out_height_m;

// The shift of a point at cell `at`, shortened so that it goes half way to the border at most.
float held(float shift, int at, int side) {
    float half_way = 0.5 * float(shift > 0.0 ? side - 1 - at : at);
    float way = sqrt(half_way * half_way + shift * shift);
    return way > 0.0 ? shift * (half_way / way) : 0.0;
}

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy), size = textureSize(u_heights, 0);
    float v = held(u_reach.y * texelFetch(u_shift_z, cell, 0).r, cell.y, size.y);
    float u = held(u_reach.x * texelFetch(u_shift_x, cell, 0).r, cell.x, size.x);
    float i = floor(v), k = floor(u);
    vec4 along = catmull_rom(v - i), across = catmull_rom(u - k);
    ivec2 first = cell + ivec2(int(k), int(i)) - 1;
    float total = 0.0;
    for (int tap = 0; tap < 4; tap++) {
        int row = clamp(first.y + tap, 0, size.y - 1);
        vec4 line = vec4(
            texelFetch(u_heights, ivec2(clamp(first.x, 0, size.x - 1), row), 0).r,
            texelFetch(u_heights, ivec2(clamp(first.x + 1, 0, size.x - 1), row), 0).r,
            texelFetch(u_heights, ivec2(clamp(first.x + 2, 0, size.x - 1), row), 0).r,
            texelFetch(u_heights, ivec2(clamp(first.x + 3, 0, size.x - 1), row), 0).r
        );
        total += along[tap] * ((across.x * line.x + across.y * line.y) + (across.z * line.z + across.w * line.w));
    }
    out_height_m = total;
}
