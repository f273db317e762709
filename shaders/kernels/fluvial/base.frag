// What:   the input in units of its relief, above its lowest.

uniform sampler2D u_heights;
uniform float u_lowest;
uniform float u_relief;

out float out_base;

void main() {
    out_base = (texelFetch(u_heights, ivec2(gl_FragCoord.xy), 0).x - u_lowest) / u_relief;
}
