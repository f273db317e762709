// What:   one octave of ribs added to the ground, and what its crests give the next.
// Twin:   app/fellview/terrain/steps/crags.py, _raise()

#include "lib/phasor.glsl"

uniform sampler2D u_heights;
uniform sampler2D u_weights;
uniform sampler2D u_waves;
uniform vec2 u_unit; // of the lattice, a cell along x and z
uniform float u_amplitude_m;
uniform float u_sharpness;
uniform float u_skew;
uniform float u_unskew;
uniform float u_meeting;
uniform float u_least;

layout(location = 0) out float out_height_m;
layout(location = 1) out float out_weight;

const float PI = 3.14159265;

// How much the wave of a vertex counts at `away` from it, and its phase there.
vec2 felt(ivec2 vertex, vec2 away) {
    float near = max(0.5 - (away.x * away.x + away.y * away.y), 0.0);
    vec4 wave = texelFetch(u_waves, vertex, 0);
    return vec2(near * near * near, cycles_wrapped(wave.z + wave.x * away.x + wave.y * away.y));
}

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    float height_m = texelFetch(u_heights, cell, 0).r, weight = texelFetch(u_weights, cell, 0).r;
    out_height_m = height_m;
    out_weight = weight;
    if (weight == 0.0) {
        return;
    }
    vec2 place = vec2(cell) * u_unit;
    float skew = (place.x + place.y) * u_skew;
    ivec2 first = ivec2(place + skew);
    vec2 away = place - (vec2(first) - float(first.x + first.y) * u_unskew);
    ivec2 on = away.x > away.y ? ivec2(1, 0) : ivec2(0, 1);
    vec2 wave0 = felt(first, away);
    vec2 wave1 = felt(first + on, away - vec2(on) + u_unskew);
    vec2 wave2 = felt(first + 1, away - 1.0 + 2.0 * u_unskew);
    float re = wave0.x * cycles_sine(cycles_wrapped(wave0.y + 0.25));
    re += wave1.x * cycles_sine(cycles_wrapped(wave1.y + 0.25));
    re += wave2.x * cycles_sine(cycles_wrapped(wave2.y + 0.25));
    float im = wave0.x * cycles_sine(wave0.y) + wave1.x * cycles_sine(wave1.y) + wave2.x * cycles_sine(wave2.y);
    float total = wave0.x + wave1.x + wave2.x;
    float square = re * re + im * im;
    float cosine = re / (sqrt(square) + u_least);
    float there = sqrt(square / (square + u_meeting * total * total));
    float ridge = 4.0 / PI - 2.0 * sqrt(max(0.5 - 0.5 * cosine, 0.0));
    float rib = there * (cosine + u_sharpness * (ridge - cosine));
    out_height_m = height_m + u_amplitude_m * weight * rib;
    out_weight = weight * (1.0 + 0.5 * rib);
}
