// What:   the heights of the ground around a land, on a grid that the land is the middle of.
// Note:   beyond the border the land's slopes run out: 2 h(border) - h(mirrored) has its heights and its slopes there,
//         as far as they are not too steep to go on. Within a strip that passes into what the land is like elsewhere;
//         what is fine loses none of its variance there.
//         Inside, the heights are the land's own, for shadows to fall from. Where a finer grid lies inside this one,
//         both are as fine along the line between them.
// Source: detail between two sources as in Heitz, Neyret, "High-performance by-example noise using a
//         histogram-preserving blending operator" (2018), doi:10.1145/3233304

#include "draw/land/surroundings.glsl"
#include "lib/catmull_rom.glsl"
#ifdef RECIPE
#include "draw/land/recipe_form.glsl"
#endif

uniform sampler2D u_land; // its heights, with their coarser levels
uniform vec2 u_first; // the place of the grid's first vertex, in sides of the land
uniform float u_sides_a_cell;
uniform float u_level; // of the heights that a cell is the mean of
uniform float u_inside_level; // the same inside the land
uniform float u_fine_level; // beside the finer grid inside this one
uniform float u_inner_sides; // how far out that reaches, or 0
uniform float u_coarse_level; // beside the coarser grid around this one
uniform vec2 u_coarsens; // sides from the border over which heights become as coarse as that
uniform float u_plain_m; // the height of the plain
uniform vec2 u_range_m; // the land's lowest and highest
uniform vec2 u_land_m; // its sides, x and z
#if defined(TILES) && !defined(RECIPE)
uniform float u_tile_level; // of the land that is wider than what is finer than a piece
#endif
#ifdef ISLANDS
uniform float u_sea_m;

const float SHOAL_HEIGHT = 0.02; // of an island: all that waves have left of it
const float STEEPER = 2.5; // at most, a shore than the land's, which keeps a beach as wide beside its island
const float FOOT = 0.05; // of the land's height over the sea, up to which a shore stays as it is
#endif

out float out_height_m;

const float STEEPEST = 0.8; // a mean slope over the way out: a cliff would go on as high again
const float FORM = 0.012; // of a side: what is wider is form, what is finer detail
const float SHARP = 0.5; // level from which on means of cells are as rough as they are to be
const float BED_BEGINS = 0.01; // sides of the land from its border
const float FINE_CELLS = 3.0; // over which heights become as coarse as the grid

// Between vertices of the full grid as rough as at them, where a straight line from one to the next would leave ground
// smoother. A loop of no turns is all that software OpenGL leaves out; `wanted` is how much of
// that anybody asks for.
float land_m(vec2 at, float level, float wanted) {
    float height_m = textureLod(u_land, at, level).r;
    ivec2 last = textureSize(u_land, 0) - 1;
    vec2 place = at * u_land_texels - 0.5;
    ivec2 vertex = ivec2(floor(place));
    vec4 along_x = catmull_rom(place.x - float(vertex.x)), along_z = catmull_rom(place.y - float(vertex.y));
    wanted *= max(1.0 - level / SHARP, 0.0);
    int rows = wanted > 0.0 ? 4 : 0;
    float sharp_m = 0.0;
    for (int j = 0; j < rows; j++) {
        vec4 row_m;
        for (int i = 0; i < 4; i++) {
            row_m[i] = texelFetch(u_land, clamp(vertex + ivec2(i, j) - 1, ivec2(0), last), 0).r;
        }
        sharp_m += along_z[j] * dot(along_x, row_m);
    }
    return rows > 0 ? mix(height_m, sharp_m, wanted) : height_m;
}

#ifdef ISLANDS
// The height in metres of an island over the sea's bed where the land rises `over_m` over the sea. An island as low as it
// is small would be all beach, and its shallows deep: the land's foot and its shallows keep more of their heights, and the
// bed is as deep as the land's.
float island_m(Island one, float over_m) {
    float shore = min(STEEPER * one.across, 1.0);
    float dry_m = max(over_m, 0.0), deep_m = u_sea_m - u_plain_m, depth_m = clamp(-over_m, 0.0, deep_m);
    float foot_m = dry_m / (1.0 + dry_m / (FOOT * max(u_range_m.y - u_sea_m, 1.0)));
    float risen_m = one.shoal_m > 0.0 ? SHOAL_HEIGHT * dry_m : one.height * (dry_m - foot_m) + shore * foot_m;
    float sunk_m = mix(depth_m * depth_m / deep_m, depth_m, shore);
    return mix(u_plain_m, u_sea_m + risen_m - sunk_m - one.shoal_m, one.weight);
}
#endif

void main() {
    vec2 place = u_first + floor(gl_FragCoord.xy) * u_sides_a_cell;
    bool inside = all(greaterThan(place, vec2(0.0))) && all(lessThan(place, vec2(1.0)));
    Source at = source_of(place);
    vec2 out_axes = abs(place - clamp(place, 0.0, 1.0));
#ifdef RECIPE
    vec3 here = form_at(place);
#endif
#if defined(RECIPE) && !defined(FAR)
    // a river that leaves the land has its bed from the border on, however wide the strip is
    at.share = max(at.share, (1.0 - here.z) * smoothstep(0.0, BED_BEGINS, at.out_sides));
#endif
    float coarser_sides = FINE_CELLS * u_sides_a_cell;
    float past = abs(max(out_axes.x, out_axes.y) - u_inner_sides) / coarser_sides;
    float level = mix(u_fine_level, u_level, min(past, 1.0));
    level = mix(level, u_coarse_level, smoothstep(u_coarsens.x, u_coarsens.y, max(out_axes.x, out_axes.y)));
    level = inside ? u_inside_level : level;
#ifdef FAR
    const bool beside = false;
#else
    bool beside = !inside && at.share < 1.0;
#endif
    float form_level = max(log2(max(FORM * max(u_land_texels.x, u_land_texels.y), 1.0)), level);
    float found_m = 0.0, form_m = 0.0;
#ifdef ISLANDS
    Island one = island_at(at.waved);
    vec2 from = inside ? at.border : one.from;
    found_m = land_m(from, inside ? level : level - log2(one.across), float(inside || one.weight > 0.0));
    found_m = inside ? found_m : island_m(one, found_m - u_sea_m);
    form_m = found_m;
    float far_m = found_m;
#else
    int count = inside ? 1 : at.count;
    float finer_m = 0.0, squares = 0.0;
    for (int i = 0; i < count; i++) {
        vec2 from = inside ? at.border : at.far[i].xy;
        float weight = inside ? 1.0 : at.far[i].z;
        float copy_m = land_m(from, level, clamp(2.5 * weight - 1.5, 0.0, 1.0));
        float copy_form_m = beside ? textureLod(u_land, from, form_level).r : 0.0;
#ifdef RECIPE
        vec2 there = inside ? vec2(copy_m, 0.0) : land_form_at(from);
        float changed_m = inside ? 0.0 : u_agreement * (here.x - there.x), rougher = roughness(here, there, at.out_sides);
        finer_m += weight * rougher * (copy_m - there.x);
        copy_m = there.x + rougher * (copy_m - there.x) + changed_m;
        copy_form_m = there.x + rougher * (copy_form_m - there.x) + changed_m;
#elif defined(TILES)
        DYNAMIC_IF(weight < 1.0) {
            finer_m += weight * (copy_m - textureLod(u_land, from, u_tile_level).r);
        }
#endif
        found_m += weight * copy_m;
        form_m += weight * copy_form_m;
        squares += weight * weight;
    }
#ifdef TILES
    found_m += squares < 1.0 ? (inversesqrt(squares) - 1.0) * finer_m : 0.0; // what is fine keeps its variance there
#endif
#endif
#ifndef ISLANDS
    float far_m = u_plain_m + at.height * (found_m - u_plain_m);
#endif

    float beyond_m = far_m;
#ifndef FAR
    DYNAMIC_IF(beside) {
        float mirrored_m = land_m(at.mirrored, level * min(at.out_sides / coarser_sides, 1.0), 1.0);
        float border_m = textureLod(u_land, at.border, 0.0).r;
        float rise_m = border_m - mirrored_m;
        float most_m = STEEPEST * length(out_axes * u_land_m);
        float near_m = clamp(border_m + rise_m / (1.0 + abs(rise_m) / max(most_m, 1e-6)), u_range_m.x, u_range_m.y);

        float near_detail_m = textureLod(u_land, at.mirrored, form_level).r - mirrored_m;
        float far_detail_m = at.height * (found_m - form_m);
        float lost = 1.0 / length(vec2(at.share, 1.0 - at.share)) - 1.0;
        beyond_m = mix(near_m, far_m, at.share) + lost * mix(near_detail_m, far_detail_m, at.share);
    }
#endif
    out_height_m = inside ? found_m : beyond_m - at.sunk_m;
}
