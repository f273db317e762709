// What:   what of the picture before may be believed at each pixel of a frame (temporal_upsampling.frag): the range of
//         colours of the pixel and its eight neighbours, as their middle and how far the widest channel goes from it,
//         and by how much the place was seen elsewhere.

uniform sampler2D u_frame;
uniform sampler2D u_depth; // the frame's, not filtered
uniform mat4 u_to_before; // from clip space to that of the picture before
uniform vec4 u_layer; // of what is seen beside the land: its depth by x, y and 1 in clip space, and the greatest
uniform vec2 u_shift; // from where a place is to where the frame has it, in textures' coordinates

layout(location = 0) out vec4 out_range; // colour, and half the width
layout(location = 1) out vec2 out_motion; // in textures' coordinates

const vec2 UNSEEN = vec2(2.0); // leads out of every picture

void main() {
    ivec2 last = textureSize(u_frame, 0) - 1, here = ivec2(gl_FragCoord.xy);
    vec3 least = vec3(1.0), greatest = vec3(0.0);
    for (int row = -1; row <= 1; row++) {
        for (int column = -1; column <= 1; column++) {
            vec3 colour = texelFetch(u_frame, clamp(here + ivec2(column, row), ivec2(0), last), 0).rgb;
            least = min(least, colour);
            greatest = max(greatest, colour);
        }
    }
    vec3 reach = 0.5 * (greatest - least);
    out_range = vec4(0.5 * (least + greatest), max(max(reach.r, reach.g), reach.b));
    vec2 place = gl_FragCoord.xy / vec2(textureSize(u_frame, 0)) - u_shift;
    vec3 seen = 2.0 * vec3(place, texelFetch(u_depth, here, 0).r) - 1.0;
    if (seen.z >= 1.0) {
        seen.z = min(dot(u_layer.xyz, vec3(seen.xy, 1.0)), u_layer.w);
    }
    vec4 before = u_to_before * vec4(seen, 1.0);
    out_motion = before.w > 0.0 ? 0.5 * before.xy / before.w + 0.5 - place : UNSEEN;
}
