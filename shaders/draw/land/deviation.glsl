// What:   how far the full grid is from a level of detail's cell of 2^l x 2^l cells, in metres: at the grid's vertices,
//         since its triangles lie each within one of the cell's two.
// Use:    Coarse cell = coarse_cell(low, 8);  float apart_m = deviation(cell, on_grid(vertex), height_at(vertex));
// Needs:  uniform sampler2D u_heights

#include "draw/land/coarse_height.glsl"

struct Coarse {
    vec2 low; // its corners, in cells
    vec2 side;
    float corner, right, below, across; // their heights in metres: r c, r c+1, r+1 c, r+1 c+1
};

// The cell of so many cells a side in which the lattice place `inside` lies.
Coarse coarse_cell(ivec2 inside, int cells) {
    ivec2 low = inside / cells * cells, high = low + cells;
    vec2 first = vec2(on_grid(low));
    return Coarse(first, max(vec2(on_grid(high)) - first, 1.0), height_at(low), height_at(ivec2(high.x, low.y)),
        height_at(ivec2(low.x, high.y)), height_at(high));
}

float deviation(Coarse cell, ivec2 vertex, float height_m) {
    vec2 share = (vec2(vertex) - cell.low) / cell.side;
    float turn = share.x >= share.y ? cell.right : cell.below;
    float there = cell.corner + max(share.x, share.y) * (turn - cell.corner)
        + min(share.x, share.y) * (cell.across - turn);
    return abs(height_m - there);
}
