// What:   heights taken from the cell that noise points to.
// Twin:   app/fellview/terrain/steps/perturb.py, _displace()

uniform sampler2D u_heights;
uniform sampler2D u_shift_rows;
uniform sampler2D u_shift_columns;
uniform float u_distance; // cells

out float out_height_m;

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    ivec2 last = textureSize(u_heights, 0) - 1;
    int u = clamp(cell.y + int(texelFetch(u_shift_rows, cell, 0).r * u_distance), 0, last.y);
    int v = clamp(cell.x + int(texelFetch(u_shift_columns, cell, 0).r * u_distance), 0, last.x);
    out_height_m = texelFetch(u_heights, ivec2(v, u), 0).r;
}
