// The heights with scree on them, where it lies deep enough.
// Twin: app/fellview/terrain/scree.py, _cover()

uniform sampler2D u_heights;
uniform sampler2D u_land; // rock and loose, on the same cells
uniform float u_thin_m;

out float out_height_m;

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    float h = texelFetch(u_heights, cell, 0).r;
    vec2 land = texelFetch(u_land, cell, 0).rg;
    float t = clamp((land.g - u_thin_m) / u_thin_m, 0.0, 1.0);
    out_height_m = h + t * t * (3.0 - 2.0 * t) * max((land.r + land.g) - h, 0.0);
}
