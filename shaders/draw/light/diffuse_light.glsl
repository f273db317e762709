// What:   the light that a matt surface sends to the eye: from the sun as far as land lets it, from the sky that it
//         sees, from the ground around where it sees ground, and what lifts the shadows.
// Use:    vec3 light = lit(albedo, normal, sky_and_sun(position_world.xz));
// Source: Ramamoorthi and Hanrahan (2001), doi:10.1145/383259.383317: light of a sky on a surface from its first
//         moments.

#include "draw/sky/cloud_shadow.glsl"

uniform sampler2D u_light_map;

// Shares of the sun (x) and the sky (y) that the land lets through to a place.
vec2 sun_and_sky_past_land(vec2 ground_m) {
    return texture(u_light_map, ground_m * light_map_place.xy + light_map_place.zw).rg;
}

// Shares of the sun (x) and the sky (y) that are seen from a place.
vec2 sun_and_sky(vec2 ground_m) {
    return sun_and_sky_past_land(ground_m) * vec2(sun_past_clouds(ground_m), 1.0);
}

// Irradiance over pi: what a white surface would send.
vec3 irradiance_over_pi(vec3 normal, vec2 seen) {
    float up = 0.5 + 0.5 * normal.y;
    vec3 sun = light_sun.rgb * max(dot(normal, light_sun_dir.xyz), 0.0) * seen.x;
    vec3 sky = seen.y * max(light_sky[0].rgb + light_sky[1].rgb * normal.x + light_sky[2].rgb * normal.y
        + light_sky[3].rgb * normal.z, 0.0);
    vec3 ground = light_ground.rgb * (1.0 - up * seen.y);
    return sun + sky + ground + light_fill.rgb * seen.y * (0.4 + 0.6 * up); // from below comes two fifths of it
}

vec3 lit(vec3 albedo, vec3 normal, vec2 seen) {
    return albedo * irradiance_over_pi(normal, seen);
}
