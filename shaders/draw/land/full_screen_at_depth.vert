// What:   one triangle that covers the viewport at one depth, 0 to 1, for depth tests to choose among its pixels.

uniform float u_depth;

void main() {
    vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    gl_Position = vec4(corner, 2.0 * u_depth - 1.0, 1.0);
}
