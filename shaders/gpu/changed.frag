// What:   heights changed by as much as others are from what they were.
// Twin:   app/fellview/terrain/pipeline/engine.py, CpuEngine.plus_change()

uniform sampler2D u_heights;
uniform sampler2D u_before;
uniform sampler2D u_after;

out float out_height_m;

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    float change_m = texelFetch(u_after, cell, 0).r - texelFetch(u_before, cell, 0).r;
    out_height_m = change_m + texelFetch(u_heights, cell, 0).r;
}
