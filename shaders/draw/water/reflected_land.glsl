// What:   the light of the land that stands in a reflected way, and how much of the view it takes. Wide steps look at
//         the mean of as wide a piece of land, whose outline is as soft.
// Use:    vec4 light_and_share = reflected_land(from_world, direction_world);
// Range:  the share 0 ... 1

#include "draw/water/far_land.glsl"

uniform float u_water_cell_m;
uniform int u_water_looks; // for land on the reflected way; a driver would unroll a constant
uniform float u_water_highest_m; // of the land as drawn

vec4 reflected_land(vec3 from, vec3 direction) {
    vec4 met = vec4(0.0);
    float way = 1.2 * u_water_cell_m, hit_m = 0.0;
    float cells = light_map_place.x * float(textureSize(u_far_land, 0).x);
    for (int i = 0; i < u_water_looks; ++i) {
        vec3 at = from + way * direction;
        if (at.y > u_water_highest_m || met.a > 0.99) {
            break;
        }
        vec2 place = land_coordinate(at.xz);
        vec4 land = textureLod(u_far_land, place, log2(0.35 * way * cells));
        float over = clamp((land.a - at.y) / (0.2 * way) + 0.5, 0.0, 1.0) * float(place == clamp(place, 0.0, 1.0));
        float gained = max(over - met.a, 0.0);
        met += gained * vec4(land.rgb, 1.0);
        hit_m += gained * way;
        way *= 1.65;
    }
    met.rgb /= max(met.a, 1e-4);
    met.a *= exp(-air_mie.g * hit_m / max(met.a, 1e-4)); // air before it shows the sky there instead
    return met;
}
