// Extended fields on more cells, bicubically, swayed at random. Twin of resample.finer_swayed; without sway, of finer.

#include "kernels/fluvial.glsl"

uniform sampler2D u_values; // two cells more on every side
uniform vec2 u_ratio;       // old cells a new one (x, z)
uniform float u_sway;       // old cells
uniform uint u_salt;

out vec2 out_values;

const float SWIRL_CELLS = 3.0;

float uniform_at(ivec2 cell, uint salt) {
    return float(int(cell_bits(cell, salt))) * exp2(-31.0);
}

vec2 swirl(ivec2 cell) { // (x, z)
    return vec2(uniform_at(cell, u_salt + 1u), uniform_at(cell, u_salt));
}

vec4 cubic(float t) { // Catmull-Rom, at t between the second and the third of four points
    float s = 1.0 - t;
    return vec4(-0.5 * t * s * s, 1.0 - 0.5 * t * t * (5.0 - 3.0 * t), 1.0 - 0.5 * s * s * (5.0 - 3.0 * s),
                -0.5 * s * t * t);
}

void main() {
    vec2 size = vec2(textureSize(u_values, 0) - 4);
    vec2 at = floor(gl_FragCoord.xy) * u_ratio;
    if (u_sway > 0.0) {
        vec2 place = at / SWIRL_CELLS;
        ivec2 corner = ivec2(place);
        vec2 f = place - vec2(corner);
        f = f * f * (3.0 - 2.0 * f);
        vec2 a = swirl(corner), b = swirl(corner + ivec2(1, 0));
        vec2 c = swirl(corner + ivec2(0, 1)), d = swirl(corner + ivec2(1, 1));
        vec2 top = a + f.x * (b - a), low = c + f.x * (d - c);
        at = clamp(at + u_sway * (top + f.y * (low - top)), vec2(0.0), size);
    }
    ivec2 first = min(ivec2(at), ivec2(size) - 1);
    vec4 across = cubic(at.x - float(first.x)), along = cubic(at.y - float(first.y));
    out_values = vec2(0.0);
    for (int tap = 0; tap < 4; tap++) {
        ivec2 from = first + ivec2(1, 1 + tap);
        out_values += along[tap] * ((across.x * texelFetch(u_values, from, 0).xy
                                     + across.y * texelFetch(u_values, from + ivec2(1, 0), 0).xy)
                                    + (across.z * texelFetch(u_values, from + ivec2(2, 0), 0).xy
                                       + across.w * texelFetch(u_values, from + ivec2(3, 0), 0).xy));
    }
}
