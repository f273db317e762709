// What:   ground, water and load after the flows have moved, and water has taken up and laid down.
// Twin:   app/fellview/terrain/erosion/hydraulic.py, _carry()

#include "lib/hash.glsl"
#include "kernels/hydraulic/hydraulic.glsl"

uniform sampler2D u_flow;
uniform vec2 u_share; // (z, x), as below
uniform vec2 u_power;
uniform float u_rain;
uniform float u_grain;
uniform float u_kept;
uniform float u_most;
uniform float u_erode;
uniform float u_settle;
uniform float u_least_depth;
uniform uint u_salt;
uniform bool u_layers;
uniform sampler2D u_surface; // of layers of rock: erodibility in its first component

out vec4 out_land;

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    vec4 flow = texelFetch(u_flow, cell, 0);
    float qn = flow.x, qs = flow.y, qw = flow.z, qe = flow.w;
    vec3 land = land_at(cell);
    float h = land.x, d = land.y, m = land.z;
    vec3 n = land_at(cell - ivec2(0, 1)), s = land_at(cell + ivec2(0, 1));
    vec3 w = land_at(cell - ivec2(1, 0)), e = land_at(cell + ivec2(1, 0));
    float surface = h + d;
    uint row = hash_mix(uint(cell.y) * GOLDEN + u_salt);
    float grain = float(int(hash_mix(row + uint(cell.x)))) * exp2(-31.0);
    float moved = u_share.x * (qn - qs) + u_share.y * (qw - qe);
    float now = max(d + u_rain * (1.0 + u_grain * grain) + moved, 0.0);
    moved = u_share.x * (qn * (qn > 0.0 ? n.z : m) - qs * (qs > 0.0 ? m : s.z))
            + u_share.y * (qw * (qw > 0.0 ? w.z : m) - qe * (qe > 0.0 ? m : e.z));
    float carried = max(d * m + moved, 0.0);
    float power = u_power.x * (max(-qn, 0.0) * (surface - (n.x + n.y)) + max(qs, 0.0) * (surface - (s.x + s.y)))
                  + u_power.y * (max(-qw, 0.0) * (surface - (w.x + w.y)) + max(qe, 0.0) * (surface - (e.x + e.y)));
    float gap = min(max(power, 0.0), u_most * now) - carried;
    float lowest = min(min(n.x, s.x), min(w.x, e.x));
    float part = u_layers ? min(u_erode * texelFetch(u_surface, cell, 0).x, 1.0) : u_erode;
    float taken = min(part * max(gap, 0.0), 0.25 * max(h - lowest, 0.0));
    float laid = min(u_settle * max(-gap, 0.0), d);
    now *= u_kept;
    bool wet = now > u_least_depth;
    float change = wet ? laid - taken : carried;
    out_land = vec4(h + change, now, wet ? (carried - change) / now : 0.0, 0.0);
}
