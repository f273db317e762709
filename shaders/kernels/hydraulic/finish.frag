// What:   heights, water's depth and suspended sediment in metres, and water's speed in m/s.
// Twin:   app/fellview/terrain/erosion/hydraulic.py, _finish()

uniform sampler2D u_land;
uniform sampler2D u_flow;
uniform sampler2D u_base;
uniform sampler2D u_heights;
uniform float u_metres;
uniform float u_speed_unit;
uniform float u_fastest;
uniform float u_least_depth;

layout(location = 0) out float out_heights;
layout(location = 1) out float out_depth;
layout(location = 2) out float out_sediment;
layout(location = 3) out float out_speed;

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    vec4 land = texelFetch(u_land, cell, 0), flow = texelFetch(u_flow, cell, 0);
    float d = land.y;
    float z = 0.5 * (flow.x + flow.y), x = 0.5 * (flow.z + flow.w);
    out_heights = texelFetch(u_heights, cell, 0).x + (land.x - texelFetch(u_base, cell, 0).x) * u_metres;
    out_depth = d * u_metres;
    out_sediment = d * land.z * u_metres;
    out_speed = min(sqrt(z * z + x * x) / max(d, u_least_depth), u_fastest) * u_speed_unit;
}
