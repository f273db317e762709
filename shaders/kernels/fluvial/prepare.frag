// What:   the two numbers of each cell's implicit step, h = inflow + share h_receiver.
// Twin:   app/fellview/terrain/erosion/fluvial.py, _prepare()

#include "kernels/fluvial/fluvial.glsl"

uniform sampler2D u_heights;
uniform sampler2D u_before; // the heights that receivers were found on
uniform sampler2D u_way;
uniform sampler2D u_flow;
uniform sampler2D u_ground; // K, U
uniform vec3 u_lengths;
uniform float u_dt;
uniform float u_cell_area;
uniform float u_critical;
uniform float u_deposition;
uniform float u_most;
uniform float u_sink;
uniform float u_outlet_base;
uniform bool u_layers;
uniform sampler2D u_surface; // of layers of rock: erodibility, -, sample, integral of 1 / erodibility
uniform float u_least_crossed; // samples

layout(location = 0) out vec4 out_step; // receiver (column, row), inflow, share
layout(location = 1) out vec4 out_chosen; // the same, for fluvial_choose to write to

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    vec2 receiver = texelFetch(u_way, cell, 0).xy;
    if (receiver.x < 0.0) {
        float at = texelFetch(u_before, cell, 0).x;
        out_step = vec4(receiver, at + u_sink * min(0.0, u_outlet_base - at), 0.0);
        out_chosen = out_step;
        return;
    }
    vec2 ground = texelFetch(u_ground, cell, 0).xy;
    if (u_layers) {
        vec4 here = texelFetch(u_surface, cell, 0), there = texelFetch(u_surface, ivec2(receiver), 0);
        float fall = abs(here.z - there.z);
        float easy = here.x; // twin: rock._cross()
        if (fall > u_least_crossed) {
            easy += min(fall / u_least_crossed - 1.0, 1.0) * (fall / abs(here.w - there.w) - easy);
        }
        ground.x *= easy;
    }
    vec2 flow = texelFetch(u_flow, cell, 0).xy;
    float len = way_length(ivec2(receiver) - cell, u_lengths);
    float a = flow.x * u_cell_area;
    float k = u_dt * ground.x * a / (sqrt(a + u_critical) * len);
    float laid = min(u_deposition * flow.y / flow.x, u_most);
    float rest = 1.0 / (1.0 + k);
    float share = k < 1.0e30 ? k * rest : 1.0;
    out_step = vec4(receiver, (texelFetch(u_heights, cell, 0).x + u_dt * ground.y + laid) * rest, share);
    out_chosen = out_step;
}
