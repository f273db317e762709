// How craggy each cell is, by the slopes to cells all around.
// Twin: app/fellview/terrain/crags.py, _weigh()

uniform sampler2D u_heights;
uniform ivec2 u_reach; // cells along x and z
uniform vec2 u_reach_m;
uniform vec2 u_slopes; // tangents where crags begin and where they are whole
uniform float u_most_slope;

out float out_weight;

float over(float h, ivec2 other, float way_m) {
    float slope = (texelFetch(u_heights, other, 0).r - h) / way_m;
    return slope * slope;
}

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy), cells = textureSize(u_heights, 0);
    // over the border, the ground is as on the other side
    ivec2 less = min(ivec2(cell.x >= u_reach.x ? cell.x - u_reach.x : cell.x + u_reach.x,
                           cell.y >= u_reach.y ? cell.y - u_reach.y : cell.y + u_reach.y),
                     cells - 1);
    ivec2 more = max(ivec2(cell.x + u_reach.x < cells.x ? cell.x + u_reach.x : cell.x - u_reach.x,
                           cell.y + u_reach.y < cells.y ? cell.y + u_reach.y : cell.y - u_reach.y),
                     ivec2(0));
    float across_m = sqrt(u_reach_m.y * u_reach_m.y + u_reach_m.x * u_reach_m.x);
    float h = texelFetch(u_heights, cell, 0).r;
    float sides = over(h, ivec2(cell.x, less.y), u_reach_m.y) + over(h, ivec2(cell.x, more.y), u_reach_m.y);
    sides += over(h, ivec2(less.x, cell.y), u_reach_m.x) + over(h, ivec2(more.x, cell.y), u_reach_m.x);
    float corners = over(h, less, across_m) + over(h, more, across_m);
    corners += over(h, ivec2(more.x, less.y), across_m) + over(h, ivec2(less.x, more.y), across_m);
    float slope = sqrt(0.25 * (sides + corners));
    float t = clamp((slope - u_slopes.x) / (u_slopes.y - u_slopes.x), 0.0, 1.0);
    out_weight = t * t * (3.0 - 2.0 * t) * min(slope, u_most_slope);
}
