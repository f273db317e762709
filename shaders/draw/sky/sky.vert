// What:   one triangle over the viewport at the far plane, with the direction that each corner looks in, and where from
//         if that is not the eye.

uniform mat3 u_corner_dir_world; // one column a vertex

out vec3 v_dir_world;
#ifdef ORTHOGRAPHIC
uniform mat3 u_corner_eye_world; // the same of where sight lines begin
out vec3 v_eye_world;
#endif

void main() {
    vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    v_dir_world = u_corner_dir_world[gl_VertexID];
#ifdef ORTHOGRAPHIC
    v_eye_world = u_corner_eye_world[gl_VertexID];
#endif
    gl_Position = vec4(corner, 1.0, 1.0);
}
