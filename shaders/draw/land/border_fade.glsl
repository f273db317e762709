// What:   the strip along the land's border in which it passes into what lies around it: plain, horizon or sky.
// Use:    vec3 light = faded_at_border(light, position_world);
// Note:   at the border nothing of the land's own light is left, so that its cut edge cannot be seen from anywhere.

#ifndef BORDER
#define NOTHING_BEHIND
#endif
#include "draw/sky/background.glsl"

const float WAVER = 0.4; // of the strip's share, so that it is no frame

vec3 faded_at_border(vec3 light, vec3 position) {
#ifndef BORDER
    return light;
#else
    float width = max(light_land.x, light_land.y);
    float strip = 0.01 * view_border * width;
    vec2 inwards = min(position.xz, light_land.xy - position.xz) / strip;
    // corners are round: within two strips of both borders the distance is that to an arc
    vec2 short_ = max(2.0 - inwards, 0.0);
    float share = max(2.0 - length(short_), 0.0);
    vec2 at = position.xz / width;
    float waver = sin(17.0 * at.x + 3.0 * sin(7.0 * at.y)) + sin(23.0 * at.y + 2.0 + 3.0 * sin(9.0 * at.x))
        + 0.5 * sin(61.0 * (at.x + 0.6 * at.y)) + 0.5 * sin(53.0 * (at.y - 0.7 * at.x));
    share *= 1.0 + WAVER * waver / 3.0;
    if (share >= 1.0) {
        return light;
    }
    return mix(background(normalize(position - light_eye.xyz)), light, smoothstep(0.0, 1.0, share));
#endif
}
