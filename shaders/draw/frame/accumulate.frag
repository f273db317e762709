// What:   adds a frame to the sum of frames; blending does the adding.

uniform sampler2D u_frame;

out vec4 out_color;

void main() {
    out_color = texelFetch(u_frame, ivec2(gl_FragCoord.xy), 0);
}
