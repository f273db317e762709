// What:   the land: what it is made of, the light on it, and the air between it and the eye. Of a triangle's pixels, or
//         with DEFERRED of those whose places on the land were drawn before; with DRY where no water reaches.

#ifdef DEFERRED
uniform sampler2D u_places;
#include "draw/land/deferred_derivatives.glsl"
#endif
#include "draw/ground/ground_texture.glsl"
#include "lib/contours.glsl"
#include "lib/b_spline.glsl"
#include "lib/drawn_normal.glsl"
#include "lib/dynamic_branch.glsl"
#include "draw/overlay/view_{VIEW_SHADING}.glsl"
#ifdef MATERIALS
#include "draw/ground/materials.glsl"
#endif
#include "draw/light/diffuse_light.glsl"
#include "draw/sky/air.glsl"
#include "draw/light/reversible_tone_map.glsl"
#include "draw/land/border_fade.glsl"
#include "draw/stage/figure_shadow.glsl"
#if defined(WATER) && !defined(DRY)
#include "draw/water/standing_water.glsl"
#include "draw/water/snowed_river.glsl"
#include "draw/water/wet_ground.glsl"
#include "draw/water/water_over_ground.glsl"
#endif

#include "draw/land/ground_normal.glsl"

#if defined(MATERIALS) || defined(VIEW_SHADING) || defined(CONTOURS)
#define SHOWS_HEIGHTS
#if defined(WATER) && !defined(DRY)
#define HEIGHTS u_ground_m // the same texture, which counts once
#else
uniform sampler2D u_heights;
#define HEIGHTS u_heights
#endif

const vec2 OFF_M = vec2(2.0, 6.0); // metres a pixel: triangles lie up to 0.75 pixels off, and beaches end within 8 m
const vec2 FAR_OFF_M = vec2(40.0, 80.0); // snow ends within tens of metres
const float STEEPEST_SIGHT = 0.02; // how far out a line of sight goes at least for each metre that counts as up or down
#endif
uniform float u_exaggeration;
uniform vec2 u_across_first; // where the first vertex is, x and z, over the grid's size
uniform vec4 u_across_land; // from places across this grid to those across the land: factors and offsets

#ifdef DEFERRED
vec3 v_position_world;
vec2 v_across;
#else
in vec3 v_position_world;
in vec2 v_across; // vertex number over the number of vertices, x along columns and y along rows
#endif

out vec4 out_color;

#ifdef SHOWS_HEIGHTS
// The height of the full grid: the land's own texture is read at vertices alone.
float grid_height_m() {
    ivec2 last = textureSize(HEIGHTS, 0) - 1;
    vec2 place = v_across * vec2(last + 1);
    ivec2 first = ivec2(floor(place));
    vec2 t = place - vec2(first);
    vec4 corners_m;
    for (int i = 0; i < 4; i++) {
        corners_m[i] = texelFetch(HEIGHTS, clamp(first + ivec2(i & 1, i >> 1), ivec2(0), last), 0).r;
    }
    vec2 along_x_m = mix(corners_m.xz, corners_m.yw, t.x);
    return mix(along_x_m.x, along_x_m.y, t.y);
}

// The heights that beaches go by, and all else: where a pixel is so wide, or so steeply looked down at, that the
// triangles may lie far off the full grid, the height of that, or low islands far away, drawn with few, would be all
// beach, far peaks bare of snow, and from above valleys full of it, and contours elsewhere.
vec2 heights_m() {
    vec2 covered_m = fwidth(v_position_world.xz);
    float level = length(normalize(v_position_world - light_eye.xyz).xz);
    float pixel_m = max(covered_m.x, covered_m.y) / max(level, STEEPEST_SIGHT);
    vec2 off = smoothstep(vec2(OFF_M.x, FAR_OFF_M.x), vec2(OFF_M.y, FAR_OFF_M.y), vec2(pixel_m));
    vec2 found_m = vec2(v_position_world.y / u_exaggeration);
    DYNAMIC_IF(off.x > 0.0) {
        found_m = mix(found_m, vec2(grid_height_m()), off);
    }
    return found_m;
}

// Where the ground is, however high it is drawn.
vec3 true_position() {
    return vec3(v_position_world.x, heights_m().y, v_position_world.z);
}
#endif

vec3 ground_colour(inout vec3 normal) {
#if defined(MATERIALS)
    vec2 found_m = heights_m();
    vec3 position_m = vec3(v_position_world.x, found_m.y, v_position_world.z); // layers of rock go by it
    float sight_rises = max(dot(normalize(light_eye.xyz - v_position_world), drawn_normal(normal)), 0.0);
    return material_albedo(position_m, found_m, on_texels(v_across), sight_rises, normal);
#elif defined(VIEW_SHADING)
    return paint(view_colour(true_position(), on_texels(v_across), normal));
#else
    vec2 across = v_across * u_across_land.xy + u_across_land.zw;
    return ground_albedo(ground_repeats * vec2(across.x, 1.0 - across.y), normal);
#endif
}

void main() {
#ifdef DEFERRED
    v_position_world = deferred_position().xyz;
    v_across = v_position_world.xz * light_map_place.xy - u_across_first;
#endif
#ifdef INK
    out_color = vec4(vec3(0.0), 0.4);
    return;
#endif
    vec3 normal = ground_normal(v_across);
#ifdef UNLIT
    vec3 shown = view_colour(true_position(), on_texels(v_across), normal);
#else
    vec3 shown = ground_colour(normal);
    normal = drawn_normal(normal); // what the ground is made of goes by its true slope, light by what is seen
#endif
#ifdef CONTOURS
    shown *= 1.0 - contour_ink(true_position().y);
#endif
#if defined(UNLIT)
    out_color = vec4(shown, 1.0);
#elif defined(LINEAR)
    vec4 seen = seen_from(v_position_world.xz);
    vec3 position = v_position_world;
#ifdef MATERIALS
    seen.x *= sun_past_stones;
#endif
#ifdef FIGURE
    seen.x *= sun_past_figures(position);
#endif
#if defined(WATER) && !defined(DRY)
    StandingWater water = standing_water(position);
#if defined(MATERIALS) && defined(RIVERS)
    snow_river(snow_cover, true_position(), water);
#endif
    shown = wet_albedo(shown, position.xz, water, normal);
#endif
    vec3 light = lit(shown, normal, seen);
#if defined(WATER) && !defined(DRY)
    light = with_water(light, position, water, normal, seen);
#endif
    light = through_air(light, position);
    out_color = vec4(into_picture(faded_at_border(light, position)), 1.0);
#else
    vec4 seen = seen_from(v_position_world.xz);
    vec3 position = v_position_world;
#ifdef MATERIALS
    seen.x *= sun_past_stones;
#endif
#ifdef FIGURE
    seen.x *= sun_past_figures(position);
#endif
#if defined(WATER) && !defined(DRY)
    StandingWater water = standing_water(position);
#if defined(MATERIALS) && defined(RIVERS)
    snow_river(snow_cover, true_position(), water);
#endif
    shown = wet_albedo(shown, position.xz, water, normal);
#endif
    float towards_sun = seen.x * max(dot(normal, light_sun_dir.xyz), 0.0);
    vec3 light = seen.y * sun_ambient * sun_shade.rgb + towards_sun * sun_light.rgb;
    vec3 colour = min(shown * light, 1.0);
#if defined(WATER) && !defined(DRY)
    colour = min(with_water(colour, position, water, normal, seen), 1.0);
#endif
    out_color = vec4(faded_at_border(through_air(colour, position), position), 1.0);
#endif
}
