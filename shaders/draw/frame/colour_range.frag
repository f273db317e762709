// What:   the range of colours about each pixel: the least and the greatest of it and its eight neighbours. What an
//         earlier picture shows at a place is believed as far as it lies within (temporal_upsampling.frag).

uniform sampler2D u_frame;

layout(location = 0) out vec4 out_least;
layout(location = 1) out vec4 out_greatest;

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
    out_least = vec4(least, 1.0);
    out_greatest = vec4(greatest, 1.0);
}
