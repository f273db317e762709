// What:   what is seen from water, as draw/light/diffuse_light.glsl has it; beyond the land its shadows fade within a
//         twentieth of its width.
// Use:    vec4 seen = seen_on_water(ground_m);
// Range:  shares of sun and sky 0 ... 1 each

#include "draw/light/diffuse_light.glsl"
#include "draw/water/land_coordinate.glsl"

vec4 seen_on_water(vec2 ground_m) {
    float out_m;
    vec2 inside = nearest_on_land(ground_m, out_m);
    vec4 land = mix(seen_past_land(inside), in_the_open(vec2(1.0)), min(20.0 * out_m * light_map_place.x, 1.0));
    return land * vec4(sun_past_clouds(ground_m), 1.0, 1.0, 1.0);
}
