// What:   the lattices that islands around a land lie in, one at most in a cell.
// Use:    of scattered_islands.frag, which says where they lie, and surroundings.glsl, which asks it
// Units:  sides of the land

const int CELLS = 64; // along each axis of two lattices, the land in the middle: of small ones 8 sides each way
const int TEXELS = 3; // of a cell
const vec2 CELL_SIDES = vec2(0.66, 0.25); // of large islands and of small ones
const mat2 TURNED = mat2(0.8829476, 0.4694716, -0.4694716, 0.8829476); // by 28 degrees: no rows along the borders
const vec2 LARGEST = vec2(0.42, 0.15); // of the land: how large islands are; of smaller ones there are more
const float RAGGED = 0.15; // of the way out from an island's middle, by how much its foot comes and goes, or it were cut round
