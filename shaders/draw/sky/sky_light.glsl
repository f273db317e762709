// What:   the light of the sky in a direction (unit vector; below the horizon it is the horizon's), before clouds and
//         mist. Which sky it is stands in SKY_KIND.
// Use:    vec3 light = sky_light(direction_world);
// Source: gradient: low sight lines run through far more air; physical: the table of sky_table.frag.

#include "draw/sky/sky_coordinate.glsl"

#define SKY_GRADIENT 0
#define SKY_PHYSICAL 1
#define SKY_SPACE 2

#if SKY_KIND == SKY_PHYSICAL
uniform sampler2D u_sky_table;
#endif

const float PALE_BAND = 0.12; // sine of an elevation; at twice that, three quarters of the way to the zenith are gone

// Display colours are mixed as they are where the picture is made of them, and as light elsewhere. The cubic is within
// 0.002 of from_srgb() and saves every pixel three powers; Chilliant, "sRGB approximations for HLSL" (2012).
vec3 paint(vec3 colour) {
#ifdef LINEAR
    return colour * (colour * (0.305306011 * colour + 0.682171111) + 0.012522878);
#else
    return colour;
#endif
}

vec3 sky_light(vec3 direction) {
#if SKY_KIND == SKY_GRADIENT
    float up = max(direction.y, 0.0);
    // the square keeps the gradient's edge at the horizon out of sight
    float clear = 1.0 - exp(-up * up / (PALE_BAND * (up + PALE_BAND)));
    return mix(paint(sky_horizon.rgb), paint(sky_zenith.rgb), clear);
#elif SKY_KIND == SKY_PHYSICAL
    vec2 place = sky_coordinate(direction, light_sun_across.xy);
    vec2 size = vec2(textureSize(u_sky_table, 0));
    return light_above_air.rgb * texture(u_sky_table, (place * (size - 1.0) + 0.5) / size).rgb + light_night.rgb;
#else
    return vec3(0.0);
#endif
}
