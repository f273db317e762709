// What:   each cell's receiver on the water level, and what begins the sums down its way and up its tree.
// Note:   dry cells drain along the steepest way; where water stands on them, towards the neighbour that sets its
//         level. A way of (-1, -1) is that of an outlet. A cell that has no way out and is no outlet is its own
//         receiver; only land that has not been flooded yet has such.
// Twin:   app/fellview/terrain/hydrology/drainage.py, find_receivers()

#include "kernels/fluvial/fluvial.glsl"

uniform sampler2D u_heights;
uniform sampler2D u_water;
uniform sampler2D u_load;
uniform sampler2D u_outlets; // (column, row), one a texel
uniform uint u_salt;
uniform vec3 u_inverse_lengths;
uniform vec3 u_steps;
uniform float u_gain;
uniform float u_lake_slope;
uniform float u_least;
uniform float u_rounding;

layout(location = 0) out vec4 out_way;  // receiver (column, row), least rise along the way, cells along it
layout(location = 1) out vec2 out_flow; // area in cells, load

bool is_outlet(ivec2 cell, ivec2 size) {
    if (cell.x > 0 && cell.y > 0 && cell.x < size.x - 1 && cell.y < size.y - 1) {
        return false;
    }
    int count = textureSize(u_outlets, 0).x;
    for (int k = 0; k < count; k++) {
        if (ivec2(texelFetch(u_outlets, ivec2(k, 0), 0).xy) == cell) {
            return true;
        }
    }
    return false;
}

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    ivec2 size = textureSize(u_water, 0);
    out_flow = vec2(1.0, texelFetch(u_load, cell, 0).x);
    if (is_outlet(cell, size)) {
        out_way = vec4(-1.0, -1.0, 0.0, 0.0);
        return;
    }
    uint bits = cell_bits(cell, u_salt);
    float h = texelFetch(u_water, cell, 0).x;
    bool raised = h > texelFetch(u_heights, cell, 0).x;
    float best = raised ? -3.0e38 : 0.0;
    ivec2 receiver = cell;
    float below = h;
    for (int k = 0; k < 8; k++) {
        ivec2 n = cell + WAYS[k];
        if (!inside(n, size)) {
            continue;
        }
        float at = texelFetch(u_water, n, 0).x;
        float fall = raised ? -(at + u_lake_slope * roughness(bits) * way_length(WAYS[k], u_steps))
                            : (h - at) * way_length(WAYS[k], u_inverse_lengths) * jitter(bits, k, u_gain);
        // rounding makes many sums on lakes alike: the lower neighbour of them is flooded first
        if (fall > best || (raised && fall == best && at < below)) {
            best = fall;
            receiver = n;
            below = at;
        }
    }
    // the rise grows with the rounding of the heights, which the new ones have not shown yet: hence at least 1's
    out_way = vec4(receiver, u_least + u_rounding * max(abs(below), 1.0), 1.0);
}
