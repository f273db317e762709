// What:   heights reshaped by a curve between the land's lowest and highest.
// Twin:   app/fellview/terrain/steps/curve.py, _reshape()

uniform sampler2D u_heights;
uniform sampler2D u_extremes; // one cell: lowest, highest
uniform mat4 u_cubics; // a column a segment, a row a power

const int SEGMENTS = 4;

out float out_height_m;

void main() {
    float height_m = texelFetch(u_heights, ivec2(gl_FragCoord.xy), 0).r;
    vec2 extremes = texelFetch(u_extremes, ivec2(0), 0).rg;
    float relief = extremes.g - extremes.r;
    float n = relief > 0.0 ? clamp((height_m - extremes.r) / relief, 0.0, 1.0) * float(SEGMENTS) : 0.0;
    int s = min(int(n), SEGMENTS - 1);
    float t = n - float(s);
    vec4 cubic = u_cubics[s];
    float share = cubic[0] + t * (cubic[1] + t * (cubic[2] + t * cubic[3]));
    out_height_m = extremes.r + share * relief;
}
