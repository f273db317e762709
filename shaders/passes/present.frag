// Copies a finished picture to the screen, pixel by pixel.

uniform sampler2D u_picture;
uniform ivec2 u_corner_px; // where the picture's lower left pixel goes

out vec4 out_color;

void main() {
    out_color = vec4(texelFetch(u_picture, ivec2(gl_FragCoord.xy) - u_corner_px, 0).rgb, 1.0);
}
