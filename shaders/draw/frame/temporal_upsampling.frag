// What:   a picture from a smaller frame of the same view and the picture before, taken along to where its places are
//         seen now. A frame's depth tells where the picture before showed each place. That colour is held within the
//         range of the frame's colours about it (history_bounds.frag), so that light that has changed and what was
//         hidden leave no trace, and the frame's own colour is mixed in: the more, the nearer the middle of its pixel
//         lies, and where what is kept was far out of range: it is of something else, and would show between the
//         pixels' middles. Frames' pixels have those elsewhere each time, so that a still view becomes as sharp as its
//         pixels. Textures with other than coordinates of the kind that filters take are slow on software OpenGL.
// Source: B. Karis, "High-Quality Temporal Supersampling" (SIGGRAPH 2014), for the range; L. Yang and others, "A Survey
//         of Temporal Antialiasing Techniques" (2020), section 4 on upsampling.

uniform sampler2D u_frame;
uniform sampler2D u_range; // neither it nor the next is filtered
uniform sampler2D u_motion;
uniform sampler2D u_before;
uniform vec2 u_pixel; // of the picture, in textures' coordinates
uniform vec2 u_frame_px; // the frame's size
uniform vec2 u_beside; // a pixel of the frame in pixels of the picture, over the reach of its colour
uniform vec2 u_shift; // from where a place is to where the frame has it, in textures' coordinates
uniform vec2 u_weights; // of the frame's colour: far from its pixel's middle, and at it

out vec4 out_color;

const float DOUBT = 8.0; // of the frame's colour, for each unit by which what was kept has to be held

void main() {
    vec2 place = gl_FragCoord.xy * u_pixel, at = place + u_shift;
    vec2 there = place + texture(u_motion, at).rg;
    vec2 beside = (fract(at * u_frame_px) - 0.5) * u_beside;
    float weight = mix(u_weights.x, u_weights.y, max(1.0 - dot(beside, beside), 0.0));
    weight = clamp(there, 0.0, 1.0) == there ? weight : 1.0;
    vec4 range = texture(u_range, at);
    vec3 before = texture(u_before, there).rgb, kept = clamp(before, range.rgb - range.a, range.rgb + range.a);
    vec3 held = abs(kept - before);
    weight = max(weight, min(DOUBT * max(max(held.r, held.g), held.b), 1.0));
    out_color = vec4(mix(kept, texture(u_frame, at).rgb, weight), 1.0);
}
