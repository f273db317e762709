// What:   a picture from a smaller frame of the same view and the picture before, taken along to where its places are
//         seen now. A frame's depth tells where the picture before showed each place. That colour is held within the
//         range of the frame's colours about it (history_bounds.frag), so that light that has changed and what was
//         hidden leave no trace, and the frame's own colour is mixed in: the more, the nearer the middle of its pixel
//         lies, and where what is kept was far out of range: it is of something else, and would show between the
//         pixels' middles. Frames' pixels have those elsewhere each time, so that a still view becomes as sharp as its
//         pixels. Where TURNED is defined, the eye has only turned since, and nothing was hidden: what is kept counts
//         the more, the more frames have told of it, which alpha tells. It is of the picture that the turn began with,
//         unless less was told there: that has been filtered once, and the picture before once a frame.
//         Textures with other than coordinates of the kind that filters take are slow on software OpenGL.
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
uniform vec2 u_weights; // of the frame's colour: far from its pixel's middle, and at it, until frames have told

out vec4 out_color;

const float DOUBT = 8.0; // of the frame's colour, for each unit by which what was kept has to be held
const float FRAMES = 16.0; // after which all is told of a place: an alpha of 1
const float MOST = 0.25; // of what is made of smaller frames: each blurs, and needs the next
#ifdef TURNED
const vec2 ROOM = vec2(2.0, 0.05); // for what is kept: of the frame's range, and beside it
const float SEAM = 0.05; // of the picture, over which what the turn began with fades

uniform sampler2D u_first; // what the turn began with
uniform mat3 u_to_first; // from a place, and 1, to that in the first, times the last number

vec4 kept_at(vec2 place, vec2 there, inout bool seen) {
    vec3 turned = u_to_first * vec3(place, 1.0);
    vec2 of_first = turned.xy / turned.z, inside = min(of_first, 1.0 - of_first) - u_pixel; // from its border
    vec4 before = texture(u_before, there), first = texture(u_first, of_first);
    float share = turned.z > 0.0 ? clamp(min(inside.x, inside.y) / SEAM, 0.0, 1.0) : 0.0;
    share = seen ? (first.a < before.a ? 0.0 : share) : step(1e-6, share);
    seen = seen || share > 0.0;
    return mix(before, first, share);
}
#else
const vec2 ROOM = vec2(1.0, 0.0);

vec4 kept_at(vec2 place, vec2 there, inout bool seen) {
    return texture(u_before, there);
}
#endif

void main() {
    vec2 place = gl_FragCoord.xy * u_pixel, at = place + u_shift;
    vec2 there = place + texture(u_motion, at).rg;
    bool seen = clamp(there, 0.0, 1.0) == there; // where the picture kept from shows the place
    vec2 beside = (fract(at * u_frame_px) - 0.5) * u_beside;
    float near = max(1.0 - dot(beside, beside), 0.0); // the middle of the frame's pixel
    vec4 range = texture(u_range, at), before = kept_at(place, there, seen);
    float room = ROOM.x * range.a + ROOM.y;
    vec3 kept = clamp(before.rgb, range.rgb - room, range.rgb + room), held = abs(kept - before.rgb);
    float doubt = min(DOUBT * max(max(held.r, held.g), held.b), 1.0);
    float told = 0.0; // what the eye saw from elsewhere, or of other light, tells nothing
    vec2 weights = u_weights;
#ifdef TURNED
    told = seen ? before.a * (1.0 - doubt) : told;
    weights = vec2(u_weights.x * (1.0 - told), min(1.0 / (1.0 + FRAMES * told), u_weights.y));
#endif
    float weight = seen ? max(mix(weights.x, weights.y, near), doubt) : 1.0;
    out_color = vec4(mix(kept, texture(u_frame, at).rgb, weight), min(told + near / FRAMES, MOST));
}
