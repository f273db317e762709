// What:   one point a cell: it lands on the cell that the way leads to, with all that has been summed so far.

uniform sampler2D u_way;
uniform sampler2D u_flow;

flat out vec2 v_flow;

void main() {
    ivec2 size = textureSize(u_way, 0);
    ivec2 cell = ivec2(gl_VertexID % size.x, gl_VertexID / size.x);
    vec2 receiver = texelFetch(u_way, cell, 0).xy;
    v_flow = texelFetch(u_flow, cell, 0).xy;
    vec2 place = (2.0 * receiver + 1.0) / vec2(size) - 1.0;
    gl_Position = receiver.x < 0.0 ? vec4(2.0, 2.0, 0.0, 1.0) : vec4(place, 0.0, 1.0); // out of sight if none
}
