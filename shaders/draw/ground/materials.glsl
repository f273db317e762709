// What:   what the land is made of at a place: the colour of its material, and its normal with all in it that is
//         smaller than a land's cells: reliefs at fixed sizes, and the grain of materials. Far colours are the parts'
//         own; reliefs and textures only vary them, and average to 1 from afar.
// Use:    vec3 albedo = material_albedo(position_m, heights_m, texture_coordinate, sight_rises, normal);  heights_m
//         are those that beaches and snow go by, sight_rises is the sine of the angle between sight line and ground;
//         normal then has relief and grain, sun_past_stones is what stones leave of the sun, and snow_cover what share
//         of the place is snow
// Units:  lengths in metres of the ground, whatever the size of the land
// Source: dominant plane by thresholds of noise instead of three fetches, after Golus, "Normal mapping for a triplanar
//         shader" (2017); heights decide at borders as in Mishkinis, "Advanced terrain texture splatting" (2013)

#include "draw/sky/sky_light.glsl"
#include "draw/ground/rock_layers.glsl"
#include "lib/interleaved_gradient_noise.glsl"
#include "draw/ground/bushes.glsl"
#include "draw/ground/footprint.glsl"
#include "draw/ground/grazing.glsl"
#include "draw/ground/material_parts.glsl"
#include "draw/ground/material_texture.glsl"
#include "draw/ground/part_weights.glsl"
#include "draw/ground/patches.glsl"
#include "draw/ground/plants.glsl"
#include "draw/ground/relief.glsl"
#include "draw/ground/stones.glsl"
#include "draw/ground/beds.glsl"
#include "draw/ground/joints.glsl"
#include "lib/b_spline.glsl"
#include "lib/dynamic_branch.glsl"

const float LEANS_DEG = 26.0; // how far a relief's own slope of 1 up the wall counts as steeper ground
const vec2 UNSEEN_M = vec2(0.5, 8.0); // metres a pixel from which reliefs begin to average out, and are gone: borders
                                      // which they decide soften by as much, so that no more and no less is covered
const float CLOSER = 5.3; // a texture within the texture, where its texels would be seen
const vec2 CLOSER_SEEN_M = vec2(0.008, 0.002); // metres a pixel from which it shows, and shows in full
const float ALONE = 0.15; // the weight of a second material up to which the first one covers it, whatever their heights
const float SHARP = 0.8; // of what reliefs are drawn for, materials
const vec2 TOLD_M = vec2(0.15, 1.2); // metres a pixel from which stones and blades of a border can no longer be told
const float DUSTY = 0.75; // how much of a stone shows through the dust of the ground on it
const vec2 STONES_ROLL_DEG = vec2(28.0, 40.0); // from which few lie, and from which none
const float GRAIN_STANDS = 0.7; // of the grain's slopes
const float STEEPEST = 2.0; // of the slopes of the grain
const float GRAIN_STEEPER = 2.0; // times as steep as reliefs it may be where it is seen aslant: streaks of it are short
const float GRAIN_STAYS = 0.4; // of its tones where the sight line grazes it: what is colour, and not shade
const vec2 TUFTS_M = vec2(0.12, 0.4); // metres a pixel from which blades and tufts begin to average out, and are gone
const float DRIFT_M = 45.0; // about as wide as what snow fills and evens out on a mountain
const vec2 SLABS_FROM_DEG = vec2(20.0, 32.0); // of slope, from which rock is bare enough to show its joints
const float CRUMBS = 0.55; // of the grain of clay, on the mean
const vec2 WASHED = vec2(2.3, 3.6); // log10 m2 of drainage, from which rain washes silt over the ground, 200 and 4,000 m2
const float TUFTED = 0.9; // how much more their lights and shadows differ than those of a mown lawn

uniform vec2 u_corner_px; // of what is drawn of the picture
uniform sampler2D u_shape; // m of change by erosion, log10 m2 of drainage, curvature in 1/m, slope in degrees
uniform vec4 u_standing[PARTS]; // how strong the relief of plains and that of walls are in a part, their shade, and how
                               // many stones lie on it
uniform vec2 u_near_m; // metres that a pixel covers from which small things begin to go under in it, and are gone
uniform vec3 u_beds[2];
uniform float u_wet;
uniform float u_grown[PARTS]; // how much of a part is plants
uniform float u_jointed[PARTS]; // how much of a part is rock in slabs
uniform float u_crusted[PARTS]; // and how much is clay and silt
uniform float u_snowed[PARTS]; // and how much is snow

float snow_cover;

// The part of a vector in the plane that the grain lies in: the level one, the one that faces east, or that to the north.
vec2 in_plane(vec3 vector, bool level, bool east) {
    return level ? vector.xz : east ? vector.zy : vector.xy;
}

// Slope in degrees and curvature in 1/m of the ground as snow that fills what is small leaves them.
vec2 drifted(vec3 position_m, vec2 coordinate, float pixel_m) {
    vec2 texels = vec2(textureSize(u_shape, 0));
    vec2 across = dFdx(coordinate) * texels, up = dFdy(coordinate) * texels;
    vec2 across_m = dFdx(position_m.xz), up_m = dFdy(position_m.xz);
    float texel_m = (length(across_m) + length(up_m) + 1e-6) / (length(across) + length(up) + 1e-6);
    return textureLod(u_shape, coordinate, max(log2(max(DRIFT_M, pixel_m) / texel_m), 0.0)).ab;
}

vec3 material_albedo(vec3 position_m, vec2 heights_m, vec2 coordinate, float sight_rises, inout vec3 normal) {
    Footprint footprint = pixel_footprint(position_m);
    float pixel_m = footprint.pixel_m, sharper = footprint.sharper;

    // borders that follow a slope would be a row of teeth where a brink crosses the grid's cells aslant
    vec4 shape = smooth_where_wide(u_shape, coordinate, texture(u_shape, coordinate, 0.5 * sharper));
    vec4 broad = broad_patches(position_m, sharper), close = close_patches(position_m, sharper);
    vec2 broad_noise = broad.rg;
    float seam = u_footprint.w * interleaved_gradient_noise(gl_FragCoord.xy + u_corner_px, u_footprint.z);

    // the plane that the grain lies in: the ground's, or for steep ground one of two upright ones
    vec3 facing = abs(normal) * vec3(1.0, 1.3, 1.0) + 0.05 * vec3(close.x + 4.0 * seam, 0.0, close.y);
    bool east = facing.x > facing.z, level = facing.y > max(facing.x, facing.z);

    Relief relief = ground_relief_at(position_m, normal, shape.a, broad_noise, close.rg, seam, footprint);
    vec4 stands = relief.stands;
    float most_slope = most_slope_seen(sight_rises), shades = shades_seen(most_slope);
    relief.slopes = slope_seen(relief.slopes, most_slope);

    float height_m = position_m.y;
    float lost = smoothstep(UNSEEN_M.x, UNSEEN_M.y, pixel_m);
    float stood = 0.8 * stands.x + 0.45 * stands.z;
    vec2 noise = broad_noise + 0.45 * close.rg;
    vec2 drifts = drifted(position_m, coordinate, footprint.longest_m);
    float leans_deg = 0.8 * RAGGED_DEG * stood + LEANS_DEG * relief.leans;
    weigh_parts(heights_m, shape, drifts, normal, noise, stood, leans_deg, lost);

    vec3 colour = vec3(0.0), others = vec3(0.0);
    vec2 wanted = vec2(0.0); // roughness, bedded
    vec2 shown = vec2(0.0); // of the relief: its slopes, its shade
    float all_grown = 0.0, jointed = 0.0, crusted = 0.0, snowed = 0.0;
    float first_weight = -1.0, second_weight = -1.0;
    int first = 0, second = 0;
    for (int i = 0; i < PARTS; i++) {
        float weight = part_weights[i];
        colour += weight * u_colours[i];
        others += weight * u_others[i];
        wanted += weight * u_parts[i].zw;
        all_grown += weight * u_grown[i];
        jointed += weight * u_jointed[i];
        crusted += weight * u_crusted[i];
        snowed += weight * u_snowed[i];
        shown += weight * vec2(relief.rises ? u_standing[i].y : u_standing[i].x, u_standing[i].z);
        bool most = weight > first_weight, more = weight > second_weight;
        second = most ? first : more ? i : second;
        second_weight = most ? first_weight : more ? weight : second_weight;
        first = most ? i : first;
        first_weight = most ? weight : first_weight;
    }
    vec2 place_m = in_plane(position_m, level, east);
    vec2 crooked_m = place_m + 0.3 * sin(0.2 * place_m.yx); // no straight row of repeats
    // textures change from pixel to pixel: levels by what a pixel covers, or borders were rows of dots
    vec2 across_m = SHARP * in_plane(footprint.across, level, east);
    vec2 up_m = SHARP * in_plane(footprint.up, level, east);
    vec4 one = material_texel(first, 0.0, crooked_m, across_m, up_m);
    float alone = 1.0 - smoothstep(0.5 * ALONE, ALONE, second_weight);
    second = alone > 0.0 ? first : second;
    vec2 second_m = alone > 0.0 ? CLOSER * crooked_m.yx : crooked_m;
    float closer = alone > 0.0 ? CLOSER : 1.0;
    vec4 other = material_texel(second, 0.0, second_m, closer * across_m, closer * up_m);
    vec2 slopes = STEEPEST * (2.0 * material_texel(first, u_slopes_from, crooked_m, across_m, up_m).rg - 1.0);
    slopes *= smoothstep(0.0, 0.25, first_weight - (alone > 0.0 ? 0.0 : second_weight)); // both meet at none

    // of two materials the one that stands higher here wins; from afar all that is left is how much each covers
    float between = first_weight - second_weight;
    float told = 1.0 - smoothstep(TOLD_M.x, TOLD_M.y, pixel_m);
    float share = alone > 0.0 ? 1.0 : clamp(0.5 + 3.0 * (between + 0.9 * (one.a - other.a)), 0.0, 1.0);
    colour = mix(colour, mix(u_colours[second], u_colours[first], share), told);
    others = mix(others, mix(u_others[second], u_others[first], share), told);
    wanted = mix(wanted, mix(u_parts[second].zw, u_parts[first].zw, share), told);
    vec4 standing = mix(u_standing[second], u_standing[first], share);
    shown = mix(shown, vec2(relief.rises ? standing.y : standing.x, standing.z), told);
    float of_relief = shades * shown.y * (1.6 * stands.x + stands.w);
    float hue = 0.5 + ground_variation * (0.36 * broad_noise.y + 0.22 * close.y + of_relief);
    colour = mix(colour, others, clamp(hue, 0.0, 1.0));
    float grown = mix(all_grown, mix(u_grown[second], u_grown[first], share), told);
    snow_cover = mix(snowed, mix(u_snowed[second], u_snowed[first], share), told);
    vec4 plants = plants_over(colour, shape, broad, close, stands.xz, told * (one.a - 0.5));
    colour = mix(colour, plants.rgb, grown);
    vec2 bush_slopes;
    float bush = bushes_over(colour, grown * plants.a, pixel_m, crooked_m, across_m, up_m, bush_slopes);
    vec3 grain = mix(other.rgb * u_evens[second], one.rgb * u_evens[first], share);
    float closely = alone * smoothstep(CLOSER_SEEN_M.x, CLOSER_SEEN_M.y, pixel_m);
    grain *= mix(vec3(1.0), other.rgb * u_evens[second], closely);
    grain = max(grain + TUFTED * grown * (1.0 - smoothstep(TUFTS_M.x, TUFTS_M.y, pixel_m)) * (grain - 1.0), 0.3);

    // clay swells to crumbs and dries to a smooth crust, in patches, and what water lays down in its ways is smooth
    float crumbs = CRUMBS + 0.4 * close.x + 0.3 * broad_noise.y - 0.45 * smoothstep(WASHED.x, WASHED.y, shape.g);
    crumbs = mix(1.0, clamp(crumbs, 0.1, 1.4), crusted);
    grain = max(1.0 + crumbs * mix(GRAIN_STAYS, 1.0, shades) * (grain - 1.0), 0.3);
    slopes = mix(crumbs * slopes, slopes + bush_slopes, bush);
    float stone = 0.0;
    sun_past_stones = 1.0;
#ifdef NEAR
    vec3 sun_along = light_sun_dir.xyz - normal * dot(light_sun_dir.xyz, normal);
    float sun_rises = max(dot(light_sun_dir.xyz, normal), 0.05) / max(length(sun_along), 1e-3);
    float seen = 1.0 - smoothstep(u_near_m.x, u_near_m.y, footprint.longest_m);
    float many = seen * standing.w * clamp(0.4 + 0.4 * close.y + 0.3 * broad_noise.x - 0.2 * stood, 0.0, 1.0)
        * (1.0 - smoothstep(STONES_ROLL_DEG.x, STONES_ROLL_DEG.y, shape.a));
    vec2 towards_sun = normalize(in_plane(sun_along, level, east) + 1e-5);
    stone = stones_on(crooked_m, across_m, up_m, towards_sun, sun_rises, seen, many, slopes);
#endif

#ifdef LAYERS
    colour *= mix(vec3(1.0), layer_colour(height_m, coordinate, stands.x), wanted.y);
#else
    float bed = wanted.y * ground_strata * beds(height_m + 0.12 * ground_bed_height * stands.x
        + 0.3 * ground_bed_height * broad_noise.x, fwidth(height_m));
    colour *= mix(vec3(1.0), bed > 0.0 ? u_beds[1] : u_beds[0], abs(bed));
#endif
    colour = mix(colour, mix(u_colours[2], u_others[2], clamp(0.5 + 0.5 * close.x, 0.0, 1.0)), DUSTY * stone);
    grain = mix(grain, vec3(dot(grain, vec3(1.0 / 3.0))), stone);

    float snowless = 1.0 - part_weights[3];
    float bend = clamp(BEND_M * shape.b, -1.0, 1.0);
    float wet = u_wet * ground_wetness * snowless
        * max(smoothstep(4.0, 6.5, shape.g), 0.5 * smoothstep(0.1, 0.8, -bend));
    // green where plants may live on it
    colour *= mix(vec3(1.0), vec3(0.7, 0.66 + 0.12 * u_wet, 0.62 + 0.06 * u_wet), wet);
    colour *= 1.0 + ground_variation * (0.07 * broad_noise.x + 0.05 * close.x) + 0.06 * bend;
    colour *= max(1.0 + shown.y * shades * (stands.y + 1.6 * stands.w), 0.2);

    vec2 tilt = GRAIN_STANDS * slope_seen(slopes, GRAIN_STEEPER * most_slope);
    vec2 broad_tilt = wanted.x * (0.6 * broad.ba + 0.5 * close.ba * TURNED);
    vec3 gradient = level ? vec3(tilt.x, 0.0, tilt.y) : east ? vec3(0.0, tilt.yx) : vec3(tilt, 0.0);
    gradient += vec3(broad_tilt.x, 0.0, broad_tilt.y) + shown.x * (relief.slopes * relief.onto);
    DYNAMIC_IF(jointed > 0.05) {
        vec4 slab = slabs_at(position_m, vec3(broad_noise, close.y), 2.0 * one.a - 1.0, pixel_m);
        float shows = jointed * ground_relief * smoothstep(SLABS_FROM_DEG.x, SLABS_FROM_DEG.y, shape.a);
        gradient += shows * slab.xyz;
        colour *= mix(1.0, slab.w, shows);
    }
    normal = normalize(normal - gradient + normal * dot(normal, gradient));
    return paint(clamp(colour * grain, 0.0, 1.0));
}
