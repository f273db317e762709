// What:   the means of a land around the vertices of a coarse grid over it, up to its borders.

uniform sampler2D u_land; // its heights, with their coarser levels
uniform float u_level; // whose texels are as wide as the grid's cells
uniform float u_cells; // of the grid, a side

out float out_mean_m;

void main() {
    vec2 place = floor(gl_FragCoord.xy) / u_cells, texels = vec2(textureSize(u_land, 0));
    out_mean_m = textureLod(u_land, (place * (texels - 1.0) + 0.5) / texels, u_level).r;
}
