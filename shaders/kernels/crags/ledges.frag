// What:   ledges cut into craggy ground.
// Twin:   app/fellview/terrain/steps/crags.py, _cut()

#include "lib/phasor.glsl"

uniform sampler2D u_heights;
uniform sampler2D u_weights;
uniform vec2 u_cell_m; // x, z
uniform float u_thickness_m;
uniform float u_strength;
uniform vec2 u_dip; // m a metre along x and z
uniform vec2 u_phases;
uniform float u_riser; // of a bed
uniform vec2 u_uneven; // how much, and cycles a bed
uniform float u_strong_cycles; // a bed

out float out_height_m;

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    float height_m = texelFetch(u_heights, cell, 0).r;
    float weight = min(texelFetch(u_weights, cell, 0).r, 1.0);
    vec2 place_m = vec2(cell) * u_cell_m;
    float y = (height_m + u_dip.y * place_m.y + u_dip.x * place_m.x) / u_thickness_m;
    y += u_uneven.x * cycles_sine(cycles_wrapped(u_uneven.y * y + u_phases.x));
    float f = y - floor(y);
    float t = clamp((f - 0.5) / u_riser + 0.5, 0.0, 1.0);
    float strong = 0.5 + 0.5 * cycles_sine(cycles_wrapped(u_strong_cycles * y + u_phases.y));
    float bench = t * t * (3.0 - 2.0 * t);
    out_height_m = height_m + u_strength * weight * strong * u_thickness_m * (bench - f);
}
