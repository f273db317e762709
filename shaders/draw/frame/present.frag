// What:   copies a finished picture to the screen, pixel by pixel where it is as high as its part of the screen.

uniform sampler2D u_picture;
uniform vec2 u_corner_px; // where the picture's lower left corner goes
uniform float u_scale; // of the picture's pixels for one of the screen's

out vec4 out_color;

void main() {
    ivec2 texel = ivec2((gl_FragCoord.xy - u_corner_px) * u_scale);
    out_color = vec4(texelFetch(u_picture, clamp(texel, ivec2(0), textureSize(u_picture, 0) - 1), 0).rgb, 1.0);
}
