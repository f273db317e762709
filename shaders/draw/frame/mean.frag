// What:   the mean of some frames from their sum, in display colours. With TRANSPARENT they are times alpha, and so is
//         the mean.

uniform sampler2D u_sum;
uniform float u_frames;

out vec4 out_color;

void main() {
    vec4 mean = texelFetch(u_sum, ivec2(gl_FragCoord.xy), 0) / u_frames;
#ifdef TRANSPARENT
    out_color = mean;
#else
    out_color = vec4(mean.rgb, 1.0);
#endif
}
