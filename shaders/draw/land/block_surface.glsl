// What:   where the vertices of one block of 64x64 cells lie at its level of detail.
// Use:    Surface at = block_surface(number, stride);  number 0 ... 64 / stride a side, of the block's own level's
//         vertices
// Needs:  uniform sampler2D u_heights; the instance's in_block, in_level and in_border_levels
// Note:   level l draws every 2^l-th vertex. A level is a number with a fraction, and the surface changes continuously
//         with it: up to a half, the vertices that the next level leaves out move onto its triangles; from there on
//         those on the block's border slide along it onto one that stays, and those of the first row inside slide away
//         from it, since the strip between row and border is no part of either's triangles where the border is coarser.
//         A border has one level for both blocks beside it, at least theirs, and both place the same vertices on it, by
//         the same arithmetic: no gap, and no vertex of one between two of the other.
// Twin:   app/fellview/draw/land/level_of_detail.py, which chooses the levels

#include "draw/land/coarse_height.glsl"

const int BLOCK_CELLS = 64;

in vec2 in_block; // column and row of the block
in float in_level;
in vec4 in_border_levels; // at the least and the greatest x, at the least and the greatest z

struct Surface {
    vec2 place; // vertex number along columns and along rows, with its fraction
    float height_m;
};

Surface block_surface(ivec2 number, int own_stride) {
    int cells = BLOCK_CELLS / own_stride; // a side
    bvec2 first = equal(number, ivec2(0)), last = equal(number, ivec2(cells));
    bool on_border = any(first) || any(last);
    float level = first.x ? in_border_levels.x
        : last.x          ? in_border_levels.y
        : first.y         ? in_border_levels.z
        : last.y          ? in_border_levels.w
                          : in_level; // corners are in every level, so that either border's will do

    int stride = 1 << int(level);
    float morph = min(2.0 * fract(level), 1.0);
    bool slides_low = on_border || any(equal(number, ivec2(cells - 1)));
    bool slides = slides_low || any(equal(number, ivec2(1)));
    float slide = slides ? max(2.0 * fract(level) - 1.0, 0.0) : 0.0;
    ivec2 local = number * own_stride / stride * stride; // the one to which sliding through the levels has led
    ivec2 lattice = BLOCK_CELLS * ivec2(in_block) + local;
    ivec2 left_out = stride * ((local / stride) & 1); // to where the next level has vertices, on both sides
    ivec2 low = lattice - left_out, high = lattice + left_out;

    // not mix(): where there is nothing to move, x + s (x - x) is x to the last bit, and x (1 - s) + x s is not
    vec2 place = vec2(on_grid(lattice));
    place += slide * (vec2(on_grid(slides_low ? low : high)) - place);
    float height_m = height_at(lattice);
    height_m += morph * (coarse_height(low, high, share_between(low, high, place)) - height_m);
    return Surface(place, height_m);
}
