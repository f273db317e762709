// What:   values of the land as display colours, one for each view mode that shows a map, and lines of equal height.
// Use:    vec3 colour = map_colour(height_m, coordinate, normal);  float ink = contour_ink(height_m);
// Source: lines of a fixed width by screen derivatives: Evan Wallace, "Anti-aliased grid shader" (2015).

#include "lib/layers.glsl"

const float MAPS = 7.0; // rows of u_colour_maps: draw/overlay/maps.py, ROWS
const float MAP_ENTRIES = 256.0;
const float LINE_PX = 0.6; // half of a line's width, and of every fifth's
const float STRONG_PX = 1.1;
const float CROWDED_PX = 5.0; // lines nearer together than this fade, so that none beat against the pixels

const float THIN = -1.5; // levels of a texture: rivers are a cell wide, and averaged they would be gone from afar
const vec3 ONE_ROCK = vec3(0.953, 0.945, 0.918); // paper, where there are no layers

uniform float u_contour_m;

float line_ink(float height_m, float interval_m, float half_px) {
    float per_pixel = length(vec2(dFdx(height_m), dFdy(height_m))) / interval_m;
    float lines = height_m / interval_m;
    float away_px = abs(fract(lines - 0.5) - 0.5) / max(per_pixel, 1e-9); // level ground has no lines
    float ink = clamp(half_px + 0.5 - away_px, 0.0, 1.0);
    return ink * step(1e-7, per_pixel) * clamp(2.0 - per_pixel * CROWDED_PX, 0.0, 1.0);
}

float contour_ink(float height_m) {
    return max(0.55 * line_ink(height_m, u_contour_m, LINE_PX), 0.8 * line_ink(height_m, 5.0 * u_contour_m, STRONG_PX));
}

#ifdef VIEW_MAP
uniform sampler2D u_shape; // m of change by erosion, log10 m2 of drainage, curvature in 1/m, slope in degrees
uniform sampler2D u_colour_maps;
uniform vec4 u_map; // the row; what is taken off a value; what it is then divided by; how much relief shades it

vec3 map_colour(float height_m, vec2 coordinate, vec3 normal) {
    // relief by light from the upper left, as on maps; level ground keeps its colour
    float relief = clamp(dot(normal, vec3(-0.6, 1.0, 0.6)), 0.5, 1.15);
#if defined(VIEW_ROCK) && defined(LAYERS)
    return min(layer_colour(height_m, coordinate, 0.0) * relief, 1.0);
#elif defined(VIEW_ROCK)
    return min(ONE_ROCK * relief, 1.0);
#else
#ifdef VIEW_DRAINAGE
    vec4 shape = texture(u_shape, coordinate, THIN);
#else
    vec4 shape = texture(u_shape, coordinate);
#endif
#if defined(VIEW_HEIGHT)
    float value = height_m;
#elif defined(VIEW_SLOPE)
    float value = shape.a;
#elif defined(VIEW_CURVATURE)
    float value = shape.b;
#elif defined(VIEW_DRAINAGE)
    float value = shape.g;
#else
    float value = shape.r;
#endif
    float share = clamp((value - u_map.y) / u_map.z, 0.0, 1.0);
    vec2 place = vec2((share * (MAP_ENTRIES - 1.0) + 0.5) / MAP_ENTRIES, (u_map.x + 0.5) / MAPS);
    return min(texture(u_colour_maps, place).rgb * mix(1.0, relief, u_map.w), 1.0);
#endif
}
#endif
