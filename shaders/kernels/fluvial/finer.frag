// What:   extended fields on more cells, bicubically, swayed at random.
// Twin:   app/fellview/terrain/resample.py, finer_swayed(); without sway, finer()

#include "lib/catmull_rom.glsl"
#include "lib/swirl.glsl"

uniform sampler2D u_values; // two cells more on every side
uniform vec2 u_ratio;       // old cells a new one (x, z)
uniform float u_sway;       // old cells
uniform uint u_salt;

out vec2 out_values;

void main() {
    vec2 size = vec2(textureSize(u_values, 0) - 4);
    vec2 at = floor(gl_FragCoord.xy) * u_ratio;
    if (u_sway > 0.0) {
        at = swayed(at, size, u_sway, u_salt);
    }
    ivec2 first = min(ivec2(at), ivec2(size) - 1);
    vec4 across = catmull_rom(at.x - float(first.x)), along = catmull_rom(at.y - float(first.y));
    out_values = vec2(0.0);
    for (int tap = 0; tap < 4; tap++) {
        ivec2 from = first + ivec2(1, 1 + tap);
        out_values += along[tap] * ((across.x * texelFetch(u_values, from, 0).xy
                                     + across.y * texelFetch(u_values, from + ivec2(1, 0), 0).xy)
                                    + (across.z * texelFetch(u_values, from + ivec2(2, 0), 0).xy
                                       + across.w * texelFetch(u_values, from + ivec2(3, 0), 0).xy));
    }
}
