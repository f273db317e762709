// What:   the mean of some frames from their sum, in display colours.

uniform sampler2D u_sum;
uniform float u_frames;

out vec4 out_color;

void main() {
    out_color = vec4(texelFetch(u_sum, ivec2(gl_FragCoord.xy), 0).rgb / u_frames, 1.0);
}
