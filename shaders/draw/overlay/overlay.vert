// What:   the panel's triangles: window units, y down, to clip space.

uniform vec2 u_display_position;
uniform vec2 u_display_size;

in vec2 in_position;
in vec2 in_texture_coordinate;
in vec4 in_color;

out vec2 v_texture_coordinate;
out vec4 v_color;

void main() {
    vec2 share = (in_position - u_display_position) / u_display_size;
    gl_Position = vec4(2.0 * share.x - 1.0, 1.0 - 2.0 * share.y, 0.0, 1.0);
    v_texture_coordinate = in_texture_coordinate;
    v_color = in_color;
}
