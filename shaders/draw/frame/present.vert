// What:   a rectangle that covers the viewport, and what part of a picture it shows; draw a strip of four vertices, no
//         buffers. Of rectangles software OpenGL draws whole rows.

uniform vec4 u_part; // of the picture, in textures' coordinates: lower left corner, upper right corner

out vec2 v_place;

void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    v_place = mix(u_part.xy, u_part.zw, corner);
    gl_Position = vec4(2.0 * corner - 1.0, 0.0, 1.0);
}
