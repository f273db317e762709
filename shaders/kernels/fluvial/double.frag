// What:   twice as far down each cell's way, with the sums along it; areas and loads are handed on for gather.vert to
//         add.

uniform sampler2D u_way;
uniform sampler2D u_flow;

layout(location = 0) out vec4 out_way;
layout(location = 1) out vec2 out_flow;

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    out_way = texelFetch(u_way, cell, 0);
    out_flow = texelFetch(u_flow, cell, 0).xy;
    if (out_way.x >= 0.0) {
        vec4 on = texelFetch(u_way, ivec2(out_way.xy), 0);
        out_way = vec4(on.xy, out_way.zw + on.zw);
    }
}
