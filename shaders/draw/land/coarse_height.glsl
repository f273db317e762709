// What:   heights of the land as levels of detail have it: level l keeps every 2^l-th vertex of a block of cells, and
//         its triangles are those of the full grid, twice as large a level.
// Use:    vec2 place = on_grid(lattice);  float height_m = coarse_height(low, high, share);
// Needs:  uniform sampler2D u_heights
// Twin:   app/fellview/draw/land/level_of_detail.py, which chooses the levels

// The vertex at a place of the lattice, x along columns; what lies past the grid's ends falls onto them.
ivec2 on_grid(ivec2 lattice) {
    return clamp(lattice, ivec2(0), textureSize(u_heights, 0) - 1);
}

float height_at(ivec2 lattice) {
    return texelFetch(u_heights, on_grid(lattice), 0).r;
}

// Where `place`, in cells, stands between the vertices at `low` and `high`: 0 to 1 an axis, 0 where they are one.
vec2 share_between(ivec2 low, ivec2 high, vec2 place) {
    vec2 first = vec2(on_grid(low));
    return (place - first) / max(vec2(on_grid(high)) - first, 1.0);
}

// The height at `share` of the cell from `low` to `high`, on the triangles (rc, r+1 c, r+1 c+1) and (rc, r+1 c+1, r c+1).
float coarse_height(ivec2 low, ivec2 high, vec2 share) {
    bool upper = share.x >= share.y; // the triangle with the corner r c+1
    float corner = height_at(low);
    float turn = height_at(upper ? ivec2(high.x, low.y) : ivec2(low.x, high.y));
    float across = height_at(high);
    return corner + max(share.x, share.y) * (turn - corner) + min(share.x, share.y) * (across - turn);
}
