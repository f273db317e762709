// What:   places person and pole: on the ground, as high as the land is drawn, and never thinner than can be seen.

uniform vec3 u_foot_m; // as drawn
uniform float u_exaggeration;
uniform float u_widened;
uniform mat4 u_view_projection;

in vec3 in_position_m;
in vec3 in_normal;
in vec3 in_albedo;

out vec3 v_position_world;
out vec3 v_normal;
out vec3 v_albedo;

void main() {
    v_position_world = u_foot_m + in_position_m * vec3(u_widened, u_exaggeration, u_widened);
    v_normal = in_normal / vec3(u_widened, u_exaggeration, u_widened);
    v_albedo = in_albedo;
    gl_Position = u_view_projection * vec4(v_position_world, 1.0);
}
