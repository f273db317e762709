// What:   a picture from a smaller frame of the same view and the picture before, taken along to where its places are
//         seen now. A frame's depth tells where the picture before showed each place. That colour is held within the
//         range of the frame's colours about it, so that light that has changed and what was hidden leave no trace,
//         and the frame's own colour is mixed in: the more, the nearer the middle of its pixel lies. Frames' pixels
//         have their middles elsewhere each time, so that a still view becomes as sharp as its pixels.
// Source: B. Karis, "High-Quality Temporal Supersampling" (SIGGRAPH 2014), for the range; L. Yang and others, "A Survey
//         of Temporal Antialiasing Techniques" (2020), section 4 on upsampling.

uniform sampler2D u_frame;
uniform sampler2D u_depth; // the frame's, not filtered
uniform sampler2D u_least;
uniform sampler2D u_greatest;
uniform sampler2D u_before;
uniform mat4 u_to_before; // from clip space to that of the picture before
uniform vec2 u_shift; // from where a place is to where the frame has it, in textures' coordinates
uniform vec2 u_weights; // of the frame's colour: far from its pixel's middle, and at it

out vec4 out_color;

const float REACH_PX2 = 1.5; // squared, from a pixel's middle, in pixels of the picture

void main() {
    vec2 size = vec2(textureSize(u_before, 0)), small = vec2(textureSize(u_frame, 0));
    vec2 place = gl_FragCoord.xy / size;
    vec2 at = place + u_shift, at_px = at * small;
    ivec2 texel = clamp(ivec2(at_px), ivec2(0), ivec2(small) - 1);
    vec4 before = u_to_before * vec4(2.0 * vec3(place, texelFetch(u_depth, texel, 0).r) - 1.0, 1.0);
    vec2 there = 0.5 * before.xy / before.w + 0.5;
    vec2 beside = (fract(at_px) - 0.5) * size / small;
    float near = max(1.0 - dot(beside, beside) / REACH_PX2, 0.0);
    bool seen = before.w > 0.0 && clamp(there, 0.0, 1.0) == there;
    float weight = seen ? mix(u_weights.x, u_weights.y, near) : 1.0;
    vec3 least = texelFetch(u_least, texel, 0).rgb, greatest = texelFetch(u_greatest, texel, 0).rgb;
    vec3 kept = clamp(texture(u_before, there).rgb, least, greatest);
    out_color = vec4(mix(kept, texture(u_frame, at).rgb, weight), 1.0);
}
