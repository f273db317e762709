// Only the cells where two grids differ, to be counted.

uniform sampler2D u_one;
uniform sampler2D u_other;

out float out_one;

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    out_one = texelFetch(u_one, cell, 0).x;
    if (out_one == texelFetch(u_other, cell, 0).x) {
        discard;
    }
}
