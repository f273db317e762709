// What:   where ground at the lowest height lies among the layers of rock, in samples of a table.
// Twin:   app/fellview/terrain/erosion/rock.py, _place()

uniform sampler2D u_folds;
uniform float u_undulation; // samples, for a field of 1
uniform vec2 u_tilt;        // samples (x, z), from one side of the land to the other
uniform float u_middle;     // samples, in the middle of the land

out float out_place;

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    vec2 at = vec2(cell) / vec2(textureSize(u_folds, 0)) - 0.5;
    out_place = (u_tilt.y * at.y + u_middle) + u_tilt.x * at.x - u_undulation * texelFetch(u_folds, cell, 0).x;
}
