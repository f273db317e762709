// What:   where the flood begins: drained cells at their heights, all others as high as can be. Drained ones can be
//         left out, to count the others.

uniform sampler2D u_way; // after so many doublings that whoever drains has arrived
uniform sampler2D u_heights;
uniform bool u_only_undrained;

out float out_water;

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    bool drained = texelFetch(u_way, cell, 0).x < 0.0;
    if (drained && u_only_undrained) {
        discard;
    }
    out_water = drained ? texelFetch(u_heights, cell, 0).x : 3.0e38;
}
