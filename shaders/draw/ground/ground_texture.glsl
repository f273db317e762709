// What:   the ground's own colour: its texture times a tint, and bare ground where it is steep. As light or as display
//         colour, like paint() in draw/sky/sky_light.glsl.
// Use:    vec3 albedo = ground_albedo(texture_coordinate, normal);  float bare = bare_share(normal);

#include "draw/sky/sky_light.glsl"

const float BARE_BLEND = 0.1; // cosine of slope over which grass gives way to bare ground
const vec3 LUMINANCE = vec3(0.2126, 0.7152, 0.0722); // ITU-R BT.709

uniform sampler2D u_ground;

// How much of the ground is bare, 0 to 1.
float bare_share(vec3 normal) {
    float bare_cosine = cos(radians(ground_bare_slope));
    return 1.0 - smoothstep(bare_cosine - BARE_BLEND, bare_cosine + BARE_BLEND, normal.y);
}

vec3 ground_albedo(vec2 coordinate, vec3 normal) {
    vec3 texel = texture(u_ground, coordinate).rgb;
    float bare = bare_share(normal);
    return paint(mix(texel * ground_tint.rgb, dot(texel, LUMINANCE) * 1.6 * ground_bare_tint.rgb, bare));
}
