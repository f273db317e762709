// What:   the rock, and how much of it has come off each cell, by its slope.
// Twin:   app/fellview/terrain/steps/scree.py, _shed()

uniform sampler2D u_rock;
uniform vec2 u_lengths_m; // of a cell along z and x
uniform vec2 u_walls; // tangents where walls begin to shed and where they shed all
uniform float u_fallen_m;

out vec2 out_land; // rock, loose

float rock_at(ivec2 cell) {
    return texelFetch(u_rock, cell, 0).r;
}

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    ivec2 low = max(cell - 1, 0), high = min(cell + 1, textureSize(u_rock, 0) - 1);
    vec2 apart_m = vec2(high - low) * u_lengths_m.yx;
    float z = (rock_at(ivec2(cell.x, high.y)) - rock_at(ivec2(cell.x, low.y))) / apart_m.y;
    float x = (rock_at(ivec2(high.x, cell.y)) - rock_at(ivec2(low.x, cell.y))) / apart_m.x;
    float t = clamp((sqrt(z * z + x * x) - u_walls.x) / (u_walls.y - u_walls.x), 0.0, 1.0);
    out_land = vec2(rock_at(cell), u_fallen_m * (t * t * (3.0 - 2.0 * t)));
}
