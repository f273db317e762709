// What:   the heights of the ground, or of the sea or the lake that stands over it.

uniform sampler2D u_heights;
uniform sampler2D u_lakes;
uniform float u_has_lakes;
uniform float u_sea_m;

out float out_height_m;

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    float level = u_has_lakes > 0.5 ? max(u_sea_m, texelFetch(u_lakes, here, 0).r) : u_sea_m;
    out_height_m = max(texelFetch(u_heights, here, 0).r, level);
}
