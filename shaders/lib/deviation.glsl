// What:   how far the vertices that a level of detail leaves out are from the triangles it draws instead, in metres.
// Use:    float apart_m = deviation(low, stride);  of the cell of 2 stride x 2 stride at lattice place `low`, whose
//         corners stay and whose other vertices, `stride` apart, go
// Needs:  uniform sampler2D u_heights

#include "lib/coarse_height.glsl"

float deviation(ivec2 low, int stride) {
    ivec2 high = low + 2 * stride;
    float corner = height_at(low);
    float right = height_at(ivec2(high.x, low.y));
    float below = height_at(ivec2(low.x, high.y));
    float across = height_at(high);
    vec2 share = share_between(low, high, vec2(on_grid(low + stride)));
    // on the four sides, and on the diagonal, which is off it in a cell that the grid's end cuts
    float apart = abs(height_at(ivec2(low.x + stride, low.y)) - mix(corner, right, share.x));
    apart = max(apart, abs(height_at(ivec2(low.x + stride, high.y)) - mix(below, across, share.x)));
    apart = max(apart, abs(height_at(ivec2(low.x, low.y + stride)) - mix(corner, below, share.y)));
    apart = max(apart, abs(height_at(ivec2(high.x, low.y + stride)) - mix(right, across, share.y)));
    float middle = share.x >= share.y ? corner + share.x * (right - corner) + share.y * (across - right)
                                      : corner + share.y * (below - corner) + share.x * (across - below);
    return max(apart, abs(height_at(low + stride) - middle));
}
