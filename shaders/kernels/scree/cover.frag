// What:   the heights with scree on them, where it lies deep enough, and how deep it covers them.
// Twin:   app/fellview/terrain/steps/scree.py, _cover()

uniform sampler2D u_heights;
uniform sampler2D u_land; // rock and loose, on the same cells
uniform float u_thin_m;

layout(location = 0) out float out_height_m;
layout(location = 1) out float out_covered_m;

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    float h = texelFetch(u_heights, cell, 0).r;
    vec2 land = texelFetch(u_land, cell, 0).rg;
    float t = clamp((land.g - u_thin_m) / u_thin_m, 0.0, 1.0);
    float cover = t * t * (3.0 - 2.0 * t) * max((land.r + land.g) - h, 0.0);
    out_height_m = h + cover;
    out_covered_m = cover;
}
