// What:   clouds of a moving picture: one pixel of every block is this frame's, the others are taken along from where
//         the picture before showed their place in the layer. What that did not show is as coarse as what is new.
// Source: Schneider, "The real-time volumetric cloudscapes of Horizon: Zero Dawn" (SIGGRAPH 2015)

#include "draw/sky/way_up.glsl"

const float ENDLESS_M = 1e6; // of a layer under the eye, which is seen beside it

uniform sampler2D u_part; // one pixel a block: light times alpha, and alpha
uniform sampler2D u_before;
uniform mat3 u_to_before; // from directions to texture coordinates of the picture before
uniform vec3 u_moved_m; // the eye since then
uniform float u_rise_m; // from the eye to the layer
uniform int u_block; // pixels a side
uniform vec2 u_first; // which of a block is new
uniform float u_kept; // 1 where the picture before is of the same clouds

in vec3 v_dir_world;

out vec4 out_cloud;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy), first = ivec2(u_first);
    vec2 place = (gl_FragCoord.xy - 0.5 - u_first) / float(u_block) + 0.5;
    out_cloud = texture(u_part, place / vec2(textureSize(u_part, 0)));
    bool is_new = at - u_block * (at / u_block) == first;
    vec3 direction = normalize(v_dir_world);
    float way = u_rise_m > 0.0 ? way_up(u_rise_m, direction.y) : ENDLESS_M;
    vec3 seen = u_to_before * (way * direction + u_moved_m);
    vec2 there = seen.xy / seen.z;
    if (u_kept > 0.5 && !is_new && seen.z > 0.0 && clamp(there, 0.0, 1.0) == there) {
        out_cloud = texture(u_before, there);
    }
}
