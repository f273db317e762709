// What:   a level's heights, K and U from what the level below left, and from the input.
// Twin:   app/fellview/terrain/erosion/fluvial.py, _begin()

#include "kernels/fluvial/fluvial.glsl"

uniform sampler2D u_lifted; // heights and areas of the level below
uniform sampler2D u_base;
uniform sampler2D u_lifted_base;
uniform sampler2D u_rock;
uniform uint u_salt;
uniform float u_worn;
uniform float u_half_area;
uniform float u_incision;
uniform float u_contrast;
uniform float u_uplift;
uniform float u_grain;

layout(location = 0) out float out_height;
layout(location = 1) out vec2 out_ground; // K, U

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    float b = texelFetch(u_base, cell, 0).x;
    vec2 lifted = texelFetch(u_lifted, cell, 0).xy;
    float in_river = max(lifted.y, 0.0) / u_half_area;
    float keep = 1.0 - u_worn * (1.0 - 0.5 / (1.0 + in_river));
    out_height = lifted.x + keep * (b - texelFetch(u_lifted_base, cell, 0).x);
    float grain = float(int((cell_bits(cell, u_salt) >> 8) & 255u)) * (2.0 / 255.0) - 1.0;
    float hardness = clamp(texelFetch(u_rock, cell, 0).x, -1.0, 1.0);
    out_ground = vec2(u_incision * exp2(2.0 * u_contrast * hardness) * (1.0 + u_grain * grain),
                      u_uplift * (0.35 + 1.3 * clamp(b, 0.0, 1.0)));
}
