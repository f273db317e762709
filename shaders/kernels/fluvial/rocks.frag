// What:   a smooth random field of several octaves.
// Twin:   app/fellview/terrain/resample.py, fractal(), before its mean is taken off

#include "lib/swirl.glsl"

uniform ivec2 u_size; // columns, rows
uniform vec2 u_frequency; // (x, z)
uniform int u_octaves;
uniform uint u_salt;

out float out_value;

float number(vec2 place, uint salt) {
    ivec2 point = ivec2(floor(place));
    vec2 f = place - vec2(point);
    f = f * f * (3.0 - 2.0 * f);
    float top = swirl_number(point, salt) * (1.0 - f.x) + swirl_number(point + ivec2(1, 0), salt) * f.x;
    float low = swirl_number(point + ivec2(0, 1), salt) * (1.0 - f.x) + swirl_number(point + ivec2(1, 1), salt) * f.x;
    return top * (1.0 - f.y) + low * f.y;
}

void main() {
    vec2 place = floor(gl_FragCoord.xy) / vec2(u_size) * u_frequency;
    float weight = 1.0;
    out_value = 0.0;
    for (int octave = 0; octave < u_octaves; octave++) {
        out_value += weight * number(place, u_salt + uint(octave));
        // turned by the angle of the 3-4-5 triangle, so that the lattices of the octaves never line up
        place = vec2(1.6 * place.x - 1.2 * place.y, 1.6 * place.y + 1.2 * place.x);
        weight *= 0.7;
    }
}
