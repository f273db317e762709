// What:   the view mode that shows each direction as a colour.
// Use:    vec3 colour = view_colour(position_m, coordinate, normal);

#include "lib/drawn_normal.glsl"

vec3 view_colour(vec3 position_m, vec2 coordinate, vec3 normal) {
    return 0.5 + 0.5 * drawn_normal(normal);
}
