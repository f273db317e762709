// What:   places the vertices of a draft's land, which come as they are drawn.
// Twin:   app/fellview/draw/land/triangle_hierarchy.py, which chooses them

uniform mat4 u_view_projection;

in vec3 in_place_m;

out vec3 v_position_world;

void main() {
    v_position_world = in_place_m;
    gl_Position = u_view_projection * vec4(in_place_m, 1.0);
}
