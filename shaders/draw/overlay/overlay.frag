// What:   the panel's colour (sRGB, as the screen takes it) times its font atlas or picture.

uniform sampler2D u_texture;

in vec2 v_texture_coordinate;
in vec4 v_color;

out vec4 out_color;

void main() {
    out_color = v_color * texture(u_texture, v_texture_coordinate);
}
