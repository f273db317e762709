// What:   what is seen from water, as draw/light/diffuse_light.glsl has it. Beyond the ground that the light map is of,
//         the land or a grid around it, shadows fade within a twentieth of its width.
// Use:    vec4 seen = seen_on_water(ground_m);
// Range:  shares of sun and sky 0 ... 1 each

#include "draw/light/diffuse_light.glsl"
#include "draw/water/land_coordinate.glsl"

vec4 seen_on_water(vec2 ground_m) {
    vec2 at = land_coordinate(ground_m);
    float out_widths = distance(at, clamp(at, 0.0, 1.0));
    vec4 land = mix(seen_past_land(ground_m), in_the_open(vec2(1.0)), min(20.0 * out_widths, 1.0));
    return land * vec4(sun_past_clouds(ground_m), 1.0, 1.0, 1.0);
}
