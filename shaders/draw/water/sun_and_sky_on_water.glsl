// What:   the shares of sun and sky that are seen from water; beyond the land its shadows fade within a twentieth of
//         its width.
// Use:    vec2 seen = sun_and_sky_on_water(ground_m);
// Range:  0 ... 1 each

#include "draw/light/diffuse_light.glsl"
#include "draw/water/land_coordinate.glsl"

vec2 sun_and_sky_on_water(vec2 ground_m) {
    float out_m;
    vec2 inside = nearest_on_land(ground_m, out_m);
    vec2 land = mix(sun_and_sky_past_land(inside), vec2(1.0), min(20.0 * out_m * light_map_place.x, 1.0));
    return land * vec2(sun_past_clouds(ground_m), 1.0);
}
