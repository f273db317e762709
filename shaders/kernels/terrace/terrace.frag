// What:   slopes cut into benches with risers between them.
// Twin:   app/fellview/terrain/steps/terrace.py, _cut()

#include "lib/hash.glsl"

uniform sampler2D u_heights;
uniform sampler2D u_noise;
uniform float u_stray_m;
uniform float u_spacing_m;
uniform float u_strength;
uniform float u_width; // of a riser, in layers
uniform float u_uneven;
uniform uint u_salt;

out float out_height_m;

// How far a layer's bench is moved, in [-1, 1).
float uneven(int layer) {
    return hash_signed(hash_mix(uint(layer) ^ u_salt));
}

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    float height_m = texelFetch(u_heights, cell, 0).r;
    float stray = u_stray_m * texelFetch(u_noise, cell, 0).r;
    float y = (height_m + stray) / u_spacing_m;
    float layer = floor(y);
    int k = int(layer);
    float above = y - layer;
    float low = u_uneven * uneven(k), high = 1.0 + u_uneven * uneven(k + 1);
    if (above < low) {
        high = low;
        low = u_uneven * uneven(k - 1) - 1.0;
    } else if (above >= high) {
        low = high;
        high = 2.0 + u_uneven * uneven(k + 2);
    }
    float t = clamp(((above - low) / (high - low) - 0.5) / u_width + 0.5, 0.0, 1.0);
    float bench = low + t * t * (3.0 - 2.0 * t) * (high - low);
    out_height_m = height_m + u_strength * (stray + u_spacing_m * (bench - above));
}
