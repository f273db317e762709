// What:   blends scale bar and north arrow, or the legend, over a finished picture, pixel by pixel.

uniform sampler2D u_marks;
uniform vec2 u_corner; // where its lower left pixel comes to lie

out vec4 out_color;

void main() {
    out_color = texelFetch(u_marks, ivec2(gl_FragCoord.xy - u_corner), 0);
}
