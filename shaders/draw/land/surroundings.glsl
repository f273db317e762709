// What:   where beyond a land's border each place takes its ground from: the land mirrored at its sides, over and over,
//         slanting as its features do where they meet the border, so that they cross it straight; and moved aside by
//         slow waves that grow with the distance, so that no two copies are alike and none shows where the mirrors
//         stand. Farther out, where from above they would be a lattice, it is pieces of the land, each from somewhere
//         else of it, turned and flipped, that pass over into each other. Where wind made its forms, whose lee sides
//         all face one way, it is such pieces from the border on, and none turned. Where it ends in the sea, it is
//         islands made of it, in chains that thin out.
// Use:    Source at = source_of(place);
// Units:  places in sides of the land: 0 to 1 is the land itself
// Source: pieces as in Heitz, Neyret, "High-performance by-example noise using a histogram-preserving blending
//         operator" (2018), doi:10.1145/3233304; with weights that are 0 sooner, or dunes lay over dunes everywhere
// Twin:   app/fellview/draw/land/surroundings.py, which says what is made of it

#include "draw/land/land_places.glsl"
#include "lib/dynamic_branch.glsl"
#include "lib/hash.glsl"

const vec2 STRIP = vec2(0.02, 0.06); // of a side: in it the land's own slopes run out beyond the border. It winds, since
// halfway through it what runs out and what is mirrored cancel out, and a line of that would show
const float SLANT_REACH = 0.1; // of a side: as far as features that cross the border go on as they came
const float SHEAR = 0.4; // how far copies are moved along a side for every step away from it, farther out
const float WARP = 0.12; // of a side: the farthest that a copy is moved aside besides, a wave
const vec2 WARP_GROWS = vec2(0.02, 1.1); // sides from the border over which it does
const vec2 LOW_STRIP = vec2(0.05, 0.12); // the same where copies are low, and nothing cancels out: a foot runs out into a
// lowland or the sea
const float HEIGHT_GROWS = 0.6; // sides from the border by which copies have their own height; low ones have it at once, so
// that no hill that is mirrored rises beside a foot
const float SWELL = 0.22; // how much higher and lower copies are, a wave
#if defined(CUT) || defined(TILES)
const mat2 UNSKEW = mat2(1.0, 0.0, 0.5, 0.8660254), SKEW = mat2(1.0, 0.0, -0.57735027, 1.15470054); // from a lattice of
// squares to one of equilateral triangles, and back
const float OVERLAP = 0.3; // of the way from a piece's middle to the next ones, which passes over into them elsewhere
#endif
#ifdef CUT
const int COPIES = 3; // that a place lies in at most
const float PIECE = 0.52; // of a side: how far the middles of pieces are apart
const float RAGGED = 0.0; // of a side: how far the lines between them are moved aside
const float ELSEWHERE = 0.5 - (1.0 - OVERLAP) * PIECE; // of a side: how far from the land's middle a piece is cut out, so
// that all of it is on the land
const vec2 PIECES_STRIP = vec2(0.05, 0.12); // of a side: the strip where the far ground is pieces, which know nothing of
// the border
#else
#ifdef ISLANDS
#include "draw/land/island_cells.glsl"

const float TOP = 0.25; // of the way out from an island's middle, up to which it stands on the bed as the land does
#endif
#ifdef TILES
#ifdef FAR
const int COPIES = 3;
#else
const int COPIES = 4; // the mirrored land and three pieces
#endif
const float PIECE = 0.55; // of a side: how far the middles of pieces are apart
const float RAGGED = 0.06; // of a side: how far the lines between them are moved aside
const float ELSEWHERE = 0.5; // anywhere: some have a part of the land's border mirrored in them
const vec2 PIECES_FROM = vec2(0.72, 1.05); // sides from the border over which they take the place of the mirrored land
#else
const int COPIES = 1;
#endif
#endif

uniform sampler2D u_slants; // of limited_slants.frag
uniform vec3 u_settles; // sides from the border from which on the ground sinks to the plain, and is level; how high it is
#ifdef ISLANDS
uniform sampler2D u_islands; // of scattered_islands.frag
#endif
#ifdef TILES
uniform float u_turns; // of 8 by quarters, mirrored and not, how many of those pieces may have
#endif
uniform float u_bays; // sides by which it does so sooner here than there, in headlands and bays; or 0
uniform vec2 u_bends; // by how much a round world sinks, in metres: these times the squares of sides from the border

struct Source {
    vec2 border; // texture coordinates: the place of the border that ground here runs out from,
    vec2 mirrored; // the one that mirrors this one there,
    vec3 far[COPIES]; // and those that far ground is taken from, with their weights, whose sum is 1,
    int count; // and how many of them have any
    float share; // of the far ground
    float out_sides; // how far out of the land
    float height; // times the land's, over the plain
    float settled; // how far it has passed into the plain
    float sunk_m; // below a plain that does not bend
#ifdef ISLANDS
    vec2 waved; // the place, moved aside
#endif
};

#ifdef ISLANDS
struct Island {
    vec2 from; // texture coordinates: the place of the land that it is made of,
    float weight; // how far it stands on the sea's bed, 0 where there is none,
    float across; // how large it is, times the land,
    float height; // how high,
    float shoal_m; // and above 0 where it is a shoal, which lies so much lower
};
#endif

#if defined(CUT) || defined(TILES)
// Which pieces of the land lie over `place`, as texture coordinates and weights whose sum is `share`, the one of the most
// first: those of the corners of its triangle in a lattice of equilateral ones.
void cut_pieces(vec2 place, float share, out vec3 pieces[3]) {
    vec2 ragged = sin(vec2(14.3, 12.7) * place.yx + 2.1 * sin(vec2(5.3, 6.1) * place + vec2(1.3, 0.4)));
    vec2 skewed = SKEW * (place + RAGGED * ragged) / PIECE;
    vec2 cell = floor(skewed), t = skewed - cell;
    bool is_upper = t.x + t.y > 1.0;
    vec2 right_angle = vec2(is_upper ? 1.0 : 0.0);
    float legs = is_upper ? -1.0 : 1.0;
    vec2 along = abs(t - right_angle);
    vec3 weights = max(vec3(1.0 - along.x - along.y, along) - OVERLAP, 0.0);
    weights *= weights; // so that none begins with a crease
    vec3 corner_0 = vec3(right_angle, weights.x), corner_1 = vec3(right_angle + vec2(legs, 0.0), weights.y);
    vec3 corner_2 = vec3(right_angle + vec2(0.0, legs), weights.z);
    vec3 higher = corner_0.z < corner_1.z ? corner_1 : corner_0, lower = corner_0.z < corner_1.z ? corner_0 : corner_1;
    vec3 corners[3] = vec3[](higher.z < corner_2.z ? corner_2 : higher,
        higher.z < corner_2.z ? higher : lower.z < corner_2.z ? corner_2 : lower, lower.z < corner_2.z ? lower : corner_2);
    share /= weights.x + weights.y + weights.z;
    for (int i = 0; i < 3; i++) {
        ivec2 piece = ivec2(cell + corners[i].xy);
        uint h = hash_chain(hash_chain(GOLDEN, piece.x), piece.y);
        vec2 middle = 0.5 + ELSEWHERE * vec2(hash_signed(h), hash_signed(hash_more(h, 1u)));
        vec2 out_of = place - PIECE * (UNSKEW * vec2(piece));
#ifdef TILES
        int turned = hash_below(hash_more(h, 2u), uint(u_turns));
        out_of = (turned & 1) == 0 ? out_of : out_of.yx;
        out_of *= vec2(1.0) - vec2(turned & 2, (turned & 4) / 2);
        vec2 from = to_and_fro(middle + out_of);
#else
        vec2 from = middle + out_of;
#endif
        pieces[i] = vec3(on_land_texels(from), share * corners[i].z);
    }
}
#endif

#ifdef ISLANDS
ivec2 texel_of(vec2 turned, int layer, float cell_sides) {
    ivec2 cell = clamp(ivec2(floor(turned / cell_sides)) + CELLS / 2, 0, CELLS - 1);
    return ivec2(TEXELS * cell.x, cell.y + layer * CELLS);
}

// Which island lies at `place`: at most one does.
Island island_at(vec2 place) {
    Island island = Island(vec2(0.0), 0.0, 1.0, 0.0, 0.0);
    vec2 turned = TURNED * place;
    ivec2 large = texel_of(turned, 0, CELL_SIDES[0]), small = texel_of(turned, 1, CELL_SIDES[1]);
    vec4 disc = texelFetch(u_islands, small, 0);
    bool is_small = distance(place, disc.xy) < disc.z;
    ivec2 first = is_small ? small : large;
    disc = is_small ? disc : texelFetch(u_islands, large, 0);
    vec2 out_of = place - disc.xy;
    if (dot(out_of, out_of) < disc.z * disc.z) {
        vec4 axes = texelFetch(u_islands, first + ivec2(1, 0), 0), from = texelFetch(u_islands, first + ivec2(2, 0), 0);
        vec2 away = mat2(axes.xy, axes.zw) * out_of, turns = 40.0 * disc.xy;
        vec2 ragged = 0.4 * sin(vec2(13.0, 11.0) * away.yx + turns) + 0.3 * sin(vec2(27.0, 31.0) * away.yx + turns.yx);
        float reach = disc.w;
        island.from = on_land_texels(from.xy + away);
        island.weight = 1.0 - smoothstep(TOP * reach, reach, length(away + RAGGED * reach * ragged));
        island.across = from.z;
        island.height = max(from.w, 0.0);
        island.shoal_m = max(-from.w, 0.0);
    }
    return island;
}
#endif

// A cubic B-spline through row `row` of the slants, which passes smoothly from one to the next: a filter's own steps, and
// corners between them, would be seen.
float slant_at(float along, int row) {
    int count = textureSize(u_slants, 0).x;
    float at = along * float(count) - 0.5, t = fract(at);
    vec4 weights = vec4((1.0 - t) * (1.0 - t) * (1.0 - t), t * t * (3.0 * t - 6.0) + 4.0,
        (1.0 - t) * (1.0 - t) * (-3.0 * t - 3.0) + 4.0, t * t * t) / 6.0;
    float slant = 0.0;
    for (int i = 0; i < 4; i++) {
        slant += weights[i] * texelFetch(u_slants, ivec2(clamp(int(floor(at)) + i - 1, 0, count - 1), row), 0).r;
    }
    return slant;
}

// How far the copy at `out_axes` beyond `border` is moved along the sides.
vec2 slanted(vec2 border, vec2 out_axes) {
    vec2 slants = vec2(slant_at(border.y, border.x < 0.5 ? 0 : 1), slant_at(border.x, border.y < 0.5 ? 2 : 3));
    vec2 away = abs(out_axes);
    vec2 near = SLANT_REACH * (1.0 - exp(-away / SLANT_REACH));
    // farther out to the left at one side and to the right at the next, or corners were folded over themselves
    return (2.0 * slants * near + SHEAR * sign(out_axes) * vec2(1.0, -1.0) * (away - near)).yx;
}

// How high ground is at `place`, so far out of the land, `raised` times what it would be.
void settle(vec2 place, vec2 out_axes, float raised, inout Source at) {
    at.out_sides = length(out_axes);
    out_axes = abs(out_axes);
    float ends = max(out_axes.x, out_axes.y);
    DYNAMIC_IF(u_bays > 0.0 && at.out_sides > u_settles.x - u_bays) {
        float wide = sin(0.9 * place.x + 1.5 * sin(0.55 * place.y)) * sin(0.8 * place.y + 1.0 + 1.4 * sin(0.6 * place.x));
        float fine = sin(3.1 * place.x + 2.0 * sin(1.9 * place.y)) * sin(2.7 * place.y + 1.7 + 2.0 * sin(2.3 * place.x));
        ends = at.out_sides + u_bays * (0.5 + 0.35 * wide + 0.15 * fine);
    }
    at.settled = smoothstep(u_settles.x, u_settles.y, ends);
    float grows = max(HEIGHT_GROWS * min(u_settles.z, 1.0), 1e-3);
    at.height = mix(1.0, u_settles.z, smoothstep(0.0, grows, at.out_sides)) * raised * (1.0 - at.settled);
    at.sunk_m = dot(u_bends, out_axes * out_axes);
}

#ifdef FAR
Source source_of(vec2 place) {
    vec2 border = clamp(place, 0.0, 1.0);
    Source at;
    at.border = at.mirrored = on_land_texels(border);
    cut_pieces(place, 1.0, at.far);
    at.count = 1 + int(at.far[1].z > 0.0) + int(at.far[2].z > 0.0);
    at.share = 1.0;
    settle(place, place - border, 1.0, at);
    return at;
}
#else
Source source_of(vec2 place) {
    vec2 border = clamp(place, 0.0, 1.0), out_axes = place - border;
    float out_sides = length(out_axes), mirrored = 1.0, swell = 0.0;
    Source at;
    at.border = at.mirrored = on_land_texels(border);
#ifdef TILES
    mirrored -= smoothstep(PIECES_FROM.x, PIECES_FROM.y, out_sides);
#endif
    vec2 copy = at.border, waved_place = place;
    DYNAMIC_IF(mirrored > 0.0) {
        float grown = smoothstep(WARP_GROWS.x, WARP_GROWS.y, out_sides);
        // of no common period; their slopes stay under 1, or ground would be folded over itself
        vec2 aside = vec2(sin(2.03 * place.y + 0.7 * place.x + 1.1) + 0.7 * sin(1.31 * place.x - 1.7 * place.y + 4.0),
            sin(1.83 * place.x - 0.6 * place.y + 2.6) + 0.7 * sin(1.47 * place.y + 1.6 * place.x + 0.4));
        swell = sin(2.3 * place.x + 1.1 * place.y + 0.9) + sin(1.27 * place.x - 1.9 * place.y + 2.2);
        swell *= SWELL * grown * mirrored; // where nothing is mirrored, nothing hides the waves
        vec2 moved = slanted(border, out_axes);
        at.border = on_land_texels(border + 0.5 * moved);
        at.mirrored = on_land_texels(border - out_axes + moved);
        waved_place += WARP * grown * aside;
        copy = on_land_texels(to_and_fro(waved_place + moved));
    }
#ifdef CUT
    cut_pieces(waved_place, 1.0, at.far);
    at.count = 1 + int(at.far[1].z > 0.0) + int(at.far[2].z > 0.0);
    vec2 strip_range = PIECES_STRIP;
#elif defined(ISLANDS)
    at.waved = waved_place;
    vec2 strip_range = LOW_STRIP;
#else
    at.far[0] = vec3(copy, mirrored);
    at.count = 1;
    vec2 strip_range = STRIP;
#endif
#ifdef TILES
    DYNAMIC_IF(mirrored < 1.0) {
        vec3 pieces[3];
        cut_pieces(place, 1.0 - mirrored, pieces);
        at.far = mirrored > 0.0 ? vec3[](at.far[0], pieces[0], pieces[1], pieces[2])
                                : vec3[](pieces[0], pieces[1], pieces[2], vec3(0.0));
        at.count = 1 + int(at.far[1].z > 0.0) + int(at.far[2].z > 0.0) + int(at.far[3].z > 0.0);
    }
#endif
    at.share = 1.0;
    DYNAMIC_IF(out_sides < max(strip_range.y, LOW_STRIP.y)) {
        float winds = sin(21.0 * place.x + 2.0 * sin(9.0 * place.y));
        winds *= sin(19.0 * place.y + 1.7 + 2.0 * sin(11.0 * place.x));
        vec2 strip = mix(strip_range, LOW_STRIP, 1.0 - min(u_settles.z, 1.0));
        at.share = smoothstep(0.0, mix(strip.x, strip.y, 0.5 + 0.5 * winds), out_sides);
    }
    settle(place, out_axes, 1.0 + swell, at);
    return at;
}
#endif

// The place of the land that far ground is taken from the most.
vec2 most_of(Source at) {
#ifdef TILES
    return (at.far[0].z < at.far[1].z ? at.far[1] : at.far[0]).xy;
#else
    return at.far[0].xy;
#endif
}
