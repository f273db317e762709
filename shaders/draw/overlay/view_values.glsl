// What:   view modes that show a value as a colour. VIEW_VALUE is the value, of height_m or shape; COLOUR_ROWS and
//         COLOUR_ENTRIES are the size of the texture of colours; with LEVEL_BIAS values are read from another level.
// Use:    vec3 colour = view_colour(position_m, coordinate, normal);
// Twin:   app/fellview/draw/overlay/view_modes.py puts in what is defined

#include "lib/map_relief.glsl"

uniform sampler2D u_shape; // draw/land/land_shape.py: change, drainage, curvature, slope; or a mask
uniform sampler2D u_colour_maps;
uniform vec4 u_map; // the row; what is taken off a value; what it is then divided by; how much relief shades it

vec3 view_colour(vec3 position_m, vec2 coordinate, vec3 normal) {
    float relief = map_relief(normal);
    float height_m = position_m.y;
#ifdef LEVEL_BIAS
    vec4 shape = texture(u_shape, coordinate, LEVEL_BIAS);
#else
    vec4 shape = texture(u_shape, coordinate);
#endif
    float share = clamp((VIEW_VALUE - u_map.y) / u_map.z, 0.0, 1.0);
    vec2 place = vec2((share * (COLOUR_ENTRIES - 1.0) + 0.5) / COLOUR_ENTRIES, (u_map.x + 0.5) / COLOUR_ROWS);
    return min(texture(u_colour_maps, place).rgb * mix(1.0, relief, u_map.w), 1.0);
}
