// What:   the light that a matt surface sends to the eye: from the sun as far as land lets it, from the sky that it
//         sees, from the ground around where it sees ground, and what lifts the shadows.
// Use:    vec3 light = lit(albedo, normal, seen_from(position_world.xz));  a place in the open sees shares of 1, and
//         the ground beyond the land

#include "draw/light/sky_irradiance.glsl"
#include "draw/sky/cloud_shadow.glsl"

uniform sampler2D u_light_map;

// Shares of the sun (x) and the sky (y) that the land lets through to a place, and red (z) and blue (w) of the light over
// pi that the ground around sends there.
vec4 seen_past_land(vec2 ground_m) {
    return texture(u_light_map, ground_m * light_map_place.xy + light_map_place.zw);
}

// The same with the shade of clouds.
vec4 seen_from(vec2 ground_m) {
    return seen_past_land(ground_m) * vec4(sun_past_clouds(ground_m), 1.0, 1.0, 1.0);
}

// What of `seen` is seen in the open, with nothing but the ground beyond the land around.
vec4 in_the_open(vec2 seen) {
    return vec4(seen, light_ground.rb);
}

// Irradiance over pi: what a white surface would send.
vec3 irradiance_over_pi(vec3 normal, vec4 seen) {
    float up = 0.5 + 0.5 * normal.y;
    vec3 sun = light_sun.rgb * max(dot(normal, light_sun_dir.xyz), 0.0) * seen.x;
    vec3 sky = seen.y * sky_irradiance(light_sky, normal);
    vec3 ground = vec3(seen.z, dot(light_green.xy, seen.zw), seen.w) * (1.0 - up * seen.y);
    return sun + sky + ground + light_fill.rgb * seen.y * (0.4 + 0.6 * up); // from below comes two fifths of it
}

vec3 lit(vec3 albedo, vec3 normal, vec4 seen) {
    return albedo * irradiance_over_pi(normal, seen);
}
