// What:   copies a finished picture to the screen, pixel by pixel where it is as large as its part of the screen.

uniform sampler2D u_picture;

in vec2 v_place;

out vec4 out_color;

void main() {
    out_color = vec4(texture(u_picture, v_place).rgb, 1.0);
}
