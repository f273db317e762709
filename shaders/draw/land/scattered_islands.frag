// What:   the islands around a land that ends in the sea, a cell of island_cells.glsl each, in rows of one lattice and
//         then of the other: the land turned, mirrored or not, smaller and stretched, or the part around one of its
//         places. None is cut by the border, nor lies over another.
// Use:    a pass over TEXELS texels a cell side by side, each of four numbers: where the island's middle is, x and z,
//         how far it reaches, 0 where there is none, and how much of the land it is made of, from its middle; from
//         steps out of there to steps on the land, a matrix; where on the land its middle is, how large it is, times
//         the land, and how high, or, below 0, how far a shoal lies under the sea, in metres
// Units:  sides of the land

#include "draw/land/island_cells.glsl"
#include "lib/hash.glsl"

uniform vec3 u_settles; // as in surroundings.glsl
uniform float u_seed; // a whole number

out vec4 out_texel;

const float SMALLEST = 0.4; // of the largest
const vec2 REACH = vec2(0.34, 0.56); // how far around the middle of an island the land lies that it is made of
const float OFF_MIDDLE = 0.16; // from the land's middle to an island's
const float STRETCH = 1.2; // at most, along one axis, and as much less along the other
const float CLEAR = 0.07; // between an island and the border, which would cut it
const vec2 OCCURS = vec2(1.0, 0.7); // of cells in a chain beside the land that have an island,
const float LOW = 0.1; // where islands are to be no lower than that; there are none that rise by nothing
const float SHOALS = 0.2; // of islands that are shoals and cays
const vec2 SHOAL_M = vec2(1.0, 7.0); // how far those lie under the sea, or over it where the island was high
const vec2 HIGH = vec2(0.6, 1.6); // how high islands are, times what goes with their size

// Four numbers of 0 to 1 of the bytes of a hash.
vec4 four_of(uint h) {
    return vec4(uvec4(h, h >> 8, h >> 16, h >> 24) & 255u) / 255.0;
}

// How much of an archipelago there is at `place`: along winding chains all, between them little.
float chained(vec2 place) {
    float across = dot(place, vec2(0.45, 0.89)), along = dot(place, vec2(0.89, -0.45));
    float chains = 0.5 + 0.5 * sin(3.3 * across + 1.3 * sin(1.1 * along + 0.6) + u_seed);
    float gaps = 0.5 + 0.5 * sin(2.1 * along + 1.9 * sin(1.7 * across) + 1.618 * u_seed);
    return (0.15 + 0.85 * chains) * (0.4 + 0.6 * gaps);
}

struct Shape {
    vec2 middle;
    float radius; // 0 where there is none
    float across, stretch, reach;
};

Shape shape_of(ivec2 cell, int layer, uint h, vec2 at) {
    vec4 size = four_of(h);
    float across = LARGEST[layer] * mix(SMALLEST, 1.0, size.x * size.x);
    float stretch = mix(1.0 / STRETCH, STRETCH, size.y), reach = mix(REACH.x, REACH.y, size.z);
    float radius = (1.0 + RAGGED) * across * reach * max(stretch, 1.0 / stretch);
    vec2 room = vec2(radius / CELL_SIDES[layer]);
    vec2 middle = CELL_SIDES[layer] * ((vec2(cell) + mix(room, 1.0 - room, at)) * TURNED);
    float out_sides = length(middle - clamp(middle, 0.0, 1.0));
    float share = min(u_settles.z / LOW, 1.0) * (1.0 - smoothstep(0.0, u_settles.x, out_sides));
    bool occurs = size.w < OCCURS[layer] * share * chained(middle) && out_sides > radius + CLEAR;
    return Shape(middle, occurs ? radius : 0.0, across, stretch, reach);
}

uint hash_of(ivec2 cell, int layer) {
    return hash_chain(hash_chain(GOLDEN + uint(2.0 * u_seed) + uint(layer), cell.x), cell.y);
}

// Whether a small island would lie over a large one.
bool is_taken(Shape small) {
    ivec2 there = ivec2(floor(TURNED * small.middle / CELL_SIDES[0]));
    bool taken = false;
    for (int i = 0; i < 9; i++) {
        ivec2 cell = there + ivec2(i % 3, i / 3) - 1;
        uint h = hash_of(cell, 0);
        Shape large = shape_of(cell, 0, h, four_of(hash_more(h, 1u)).xy);
        taken = taken || (large.radius > 0.0 && distance(large.middle, small.middle) < large.radius + small.radius);
    }
    return taken;
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int layer = texel.y / CELLS;
    ivec2 cell = ivec2(texel.x / TEXELS, texel.y % CELLS) - CELLS / 2;
    uint h = hash_of(cell, layer);
    vec4 at = four_of(hash_more(h, 1u)), of_land = four_of(hash_more(h, 2u));
    Shape island = shape_of(cell, layer, h, at.xy);
    float radius = layer > 0 && is_taken(island) ? 0.0 : island.radius;
    float angle = 6.2831853 * at.z;
    vec2 x = vec2(cos(angle), sin(angle)) * island.stretch, z = vec2(-sin(angle), cos(angle)) / island.stretch;
    z *= at.w < 0.5 ? -1.0 : 1.0;
    float height = u_settles.z * island.across / LARGEST.x * mix(HIGH.x, HIGH.y, of_land.z);
    float high = of_land.w < SHOALS ? -mix(SHOAL_M.x, SHOAL_M.y, of_land.w / SHOALS) : height;
    vec4 texels[TEXELS] = vec4[](vec4(island.middle, radius, island.reach), vec4(x, z) / island.across,
        vec4(0.5 + OFF_MIDDLE * (2.0 * of_land.xy - 1.0), island.across, high));
    out_texel = texels[texel.x % TEXELS];
}
