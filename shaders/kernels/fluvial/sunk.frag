// What:   only the cells where water has sunk, to be counted.

uniform sampler2D u_water;
uniform sampler2D u_before;

out float out_water;

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    out_water = texelFetch(u_water, cell, 0).x;
    if (!(out_water < texelFetch(u_before, cell, 0).x)) {
        discard;
    }
}
