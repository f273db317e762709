// Blends scale bar and north arrow over a finished picture, pixel by pixel.

uniform sampler2D u_marks;

out vec4 out_color;

void main() {
    out_color = texelFetch(u_marks, ivec2(gl_FragCoord.xy), 0);
}
