// What:   one sweep down to the water level W = max(h, min over the neighbours of (W_n + e L_n)).
// Twin:   app/fellview/terrain/hydrology/drainage.py, flood()

#include "kernels/fluvial/fluvial.glsl"

uniform sampler2D u_heights;
uniform sampler2D u_water;
uniform uint u_salt;
uniform vec3 u_steps;
uniform float u_lake_slope;

out float out_water;

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    float h = texelFetch(u_heights, cell, 0).x;
    out_water = texelFetch(u_water, cell, 0).x;
    if (out_water == h) {
        return; // drained, or as low as it gets
    }
    ivec2 size = textureSize(u_water, 0);
    float slope = u_lake_slope * roughness(cell_bits(cell, u_salt));
    float lowest = out_water;
    for (int k = 0; k < 8; k++) {
        ivec2 n = cell + WAYS[k];
        if (inside(n, size)) {
            lowest = min(lowest, texelFetch(u_water, n, 0).x + slope * way_length(WAYS[k], u_steps));
        }
    }
    out_water = max(h, lowest);
}
