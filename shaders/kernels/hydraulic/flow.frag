// What:   the flows of the next step through a cell's four pipes, from north, to south, from west, to east. Each pipe
//         is computed by both of its cells, to the same bits.
// Twin:   app/fellview/terrain/erosion/hydraulic.py, _flow()

#include "kernels/hydraulic/hydraulic.glsl"

uniform sampler2D u_flow;
uniform vec2 u_pull;    // (z, x), as below
uniform vec2 u_fastest;
uniform float u_drag;
uniform float u_deepest;

out vec4 out_flow;

float pipe(float flow, vec3 here, vec3 there, float pull, float fastest) {
    float surface = here.x + here.y, surface_there = there.x + there.y;
    float depth = min(max(surface, surface_there) - max(here.x, there.x), u_deepest);
    float pulled = (flow + pull * depth * (surface - surface_there)) * (depth / (depth + u_drag));
    return min(max(pulled, -fastest * there.y), fastest * here.y);
}

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    vec4 flow = texelFetch(u_flow, cell, 0);
    vec3 land = land_at(cell);
    out_flow = vec4(pipe(flow.x, land_at(cell - ivec2(0, 1)), land, u_pull.x, u_fastest.x),
                    pipe(flow.y, land, land_at(cell + ivec2(0, 1)), u_pull.x, u_fastest.x),
                    pipe(flow.z, land_at(cell - ivec2(1, 0)), land, u_pull.y, u_fastest.y),
                    pipe(flow.w, land, land_at(cell + ivec2(1, 0)), u_pull.y, u_fastest.y));
}
