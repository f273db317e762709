// What:   where what is drawn stands that a pixel shows, and its normal: of things whose faces are flat.

layout(location = 0) out vec4 out_position; // in the world in metres, and 1
layout(location = 1) out vec4 out_normal;

in vec3 v_position_world;

void main() {
    vec3 normal = normalize(cross(dFdx(v_position_world), dFdy(v_position_world)));
    normal *= dot(normal, light_eye.xyz - v_position_world) < 0.0 ? -1.0 : 1.0; // faces that are seen face the eye
    out_position = vec4(v_position_world, 1.0);
    out_normal = vec4(normal, 0.0);
}
