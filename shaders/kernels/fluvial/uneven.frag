// What:   the input with plains that are uneven.
// Twin:   app/fellview/terrain/erosion/fluvial.py, _Rivers.make_plains_uneven()

uniform sampler2D u_base;
uniform sampler2D u_uneven;

out float out_base;

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    out_base = texelFetch(u_base, cell, 0).x + texelFetch(u_uneven, cell, 0).x;
}
