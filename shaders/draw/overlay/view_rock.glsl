// What:   the view mode that shows layers of rock.
// Use:    vec3 colour = view_colour(position_m, coordinate, normal);

#include "draw/ground/rock_layers.glsl"
#include "lib/map_relief.glsl"

const vec3 ONE_ROCK = vec3(0.953, 0.945, 0.918); // paper, where there are no layers

vec3 view_colour(vec3 position_m, vec2 coordinate, vec3 normal) {
#ifdef LAYERS
    return min(layer_colour(position_m.y, coordinate, 0.0) * map_relief(normal), 1.0);
#else
    return min(ONE_ROCK * map_relief(normal), 1.0);
#endif
}
