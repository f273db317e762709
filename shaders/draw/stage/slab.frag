// What:   the sides of a slab, and of a landscape seen without what is around it: a cut through the land. Where the
//         scene lays layers of rock, those, as the ground over them shows them; else the ground's own rock, darker with
//         depth, under a thin soil.

#include "draw/light/diffuse_light.glsl"
#include "draw/sky/sky_light.glsl"
#include "lib/hash.glsl"
#include "draw/ground/rock_layers.glsl"
#include "draw/light/shading.glsl"

const float BLOTCHES_A_SIDE = 24.0; // along the land's width; they lie flat, as sediment does
const float FLATTENED = 3.5;
const float BLOTCHES = 0.035; // how much lighter or darker they are at most
const float GRAINS = 9.7; // of their finer kin in one of them, and how strong those are
const float GRAIN = 0.07;
const float SOIL = 0.006; // of the land's width
const float MOST_SOIL_PX = 12.0; // seen from so near that it would be wider, it is as thin as soil is
const float SOIL_PARTS = 2.6; // depths of soil over which it passes into rock
const float DEEP_DARK = 0.68; // what is left of the rock's brightness at the base
const float BEVEL = 0.0035; // of the land's width: edges are broken, and catch the light
const float FOOT_DARK = 0.45; // of the sky's and the walls' light that is lost beside the floor
const float FOOT_HEIGHT = 0.16; // of a side's height, over which that fades
// Without floor and walls: of the light on level ground, what bright ground that is not drawn would send to a side. A
// side in shade is then a third as bright as one in a sun of 30 degrees, and reads as rock.
const float AROUND = 0.22;

uniform float u_base_m; // as drawn
uniform float u_exaggeration;
uniform vec3 u_rock; // display colours
uniform vec3 u_soil;

in vec3 v_position_world;
in float v_top_m;
in vec2 v_on_texels;
flat in vec3 v_normal;

out vec4 out_color;

float blotch(vec2 place) {
    vec2 cell = floor(place), part = place - cell;
    part = part * part * (3.0 - 2.0 * part);
    ivec4 first = ivec4(cell, 0, 0);
    float a = hash_unit(hash_cell(first, 2, 23u)), b = hash_unit(hash_cell(first + ivec4(1, 0, 0, 0), 2, 23u));
    float c = hash_unit(hash_cell(first + ivec4(0, 1, 0, 0), 2, 23u)), d = hash_unit(hash_cell(first + ivec4(1, 1, 0, 0), 2, 23u));
    return mix(mix(a, b, part.x), mix(c, d, part.x), part.y) - 0.5;
}

// The light that a place of the cut sends of what falls on it; `along` is how far along its side it lies.
vec3 cut_albedo(float along, float width) {
    vec2 place = vec2(along, FLATTENED * (v_position_world.y - u_base_m)) * BLOTCHES_A_SIDE / width;
    float pixel = max(fwidth(place.x), fwidth(place.y));
    float stain = 2.0 * blotch(place) * clamp(1.5 - pixel, 0.0, 1.0);
    float grain = 2.0 * blotch(GRAINS * place + 17.0) * clamp(1.5 - 1.5 * GRAINS * pixel, 0.0, 1.0);
    // seen from so near that grains are wide, finer ones in them
    float fine = 2.0 * blotch(GRAINS * GRAINS * place + 31.0) * clamp(1.5 - 1.5 * GRAINS * GRAINS * pixel, 0.0, 1.0);
    vec3 colour = u_rock * (1.0 + BLOTCHES * stain + GRAIN * (grain + fine));
#ifdef LAYERS
    colour *= layer_colour(v_position_world.y / u_exaggeration, v_on_texels, 0.0);
    return paint(clamp(colour, 0.0, 1.0));
#else
    float depth_m = v_top_m - v_position_world.y;
    float deep = clamp(depth_m / max(v_top_m - u_base_m, 1e-3), 0.0, 1.0);
    colour *= mix(1.0, DEEP_DARK, smoothstep(0.0, 1.0, deep));
    float soil_m = min(SOIL * width, MOST_SOIL_PX * fwidth(v_position_world.y));
    float soils = depth_m / soil_m * (1.0 + 0.5 * stain);
    float edge = max(fwidth(depth_m) / soil_m, 0.1);
    // humus, then stones and earth, then rock
    colour = mix(0.5 * (u_soil + colour), colour, smoothstep(1.0, SOIL_PARTS, soils));
    colour = mix(u_soil, colour, smoothstep(1.0 - edge, 1.0 + edge, soils));
    return paint(clamp(colour, 0.0, 1.0));
#endif
}

void main() {
    float width = max(light_land.x, light_land.y);
    bool across_x = v_normal.x == 0.0; // the side runs along x
    float side_m = across_x ? light_land.x : light_land.y;
    float along = across_x ? v_position_world.x : v_position_world.z;
    vec3 along_side = across_x ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 0.0, 1.0);
    float to_first = 1.0 - smoothstep(0.0, BEVEL * width, along);
    float to_last = 1.0 - smoothstep(0.0, BEVEL * width, side_m - along);
    float to_top = 1.0 - smoothstep(0.0, BEVEL * width, v_top_m - v_position_world.y);
    vec3 normal = normalize(v_normal + 0.9 * (to_last - to_first) * along_side + vec3(0.0, 0.6 * to_top, 0.0));
    vec3 albedo = cut_albedo(along, width);
    float open = 1.0;
#ifdef SLAB
    float foot = exp(-(v_position_world.y - u_base_m) / (FOOT_HEIGHT * max(v_top_m - u_base_m, 1e-3)));
    open -= FOOT_DARK * foot;
#endif
#ifdef LINEAR
    // what the floor sends comes less at the very foot, too: there it lies in the slab's own shade
    vec3 light = albedo * (irradiance_over_pi(normal, in_the_open(vec2(1.0))) - (1.0 - open) * irradiance_over_pi(normal, in_the_open(vec2(0.0, 1.0))));
#ifndef SLAB
    light += albedo * AROUND * irradiance_over_pi(vec3(0.0, 1.0, 0.0), in_the_open(vec2(1.0)));
#endif
#else
    vec3 floor_sends = 0.3 * (sun_ambient * sun_shade.rgb + max(light_sun_dir.y, 0.0) * sun_light.rgb);
    vec3 light = min(shaded(albedo, normal, in_the_open(vec2(1.0, open))) + open * albedo * floor_sends, 1.0);
#endif
    out_color = vec4(into_display(light), 1.0);
}
