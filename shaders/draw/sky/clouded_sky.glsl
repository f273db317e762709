// What:   the light of the sky with its heaps of cloud in a direction, as water mirrors it: one reading of the pattern,
//         a little over the bases, with no shape to them.
// Use:    vec3 light = clouded_sky(from_world, direction_world, spread);  the spread is how far slopes blur the
//         mirrored sky, in radians

#include "draw/sky/cloud_shadow.glsl"
#include "draw/sky/air.glsl"

const float CLOUD_MIDDLE = 0.3; // of the layer's thickness: where it is cut
const float CLOUD_SENDS = 0.55; // of sunlight, from sides lit and sides in the shade
const float PATCH_LEVEL = 6.0; // of the texture, from which on a texel is two patches: only their share is left

vec3 clouded_sky(vec3 from, vec3 direction, float spread) {
    vec3 sky = sky_light(direction);
#ifdef CLOUDED
    float rise = light_cloud.x + CLOUD_MIDDLE * light_cloud.y - from.y;
    float way = rise / max(direction.y, 0.02);
    vec2 place = (from.xz + way * direction.xz + vec2(light_cloud.w, 0.0)) * light_clouds.y;
    // slopes blur it along the way more than across, the more the lower it is looked at
    float blur_m = spread * way / max(direction.y, 0.02);
    float level = log2(max(blur_m * float(textureSize(u_clouds, 0).x) * light_clouds.y, 1.0));
    float edge = 1.0 - light_clouds.x;
    float one = smoothstep(edge, edge + CLOUD_SOFT, textureLod(u_clouds, place, min(level, PATCH_LEVEL - 1.0)).r);
    float hidden = rise > 0.0 ? mix(one, light_clouds.x, min(level / PATCH_LEVEL, 1.0)) : 0.0;
    vec3 cloud = CLOUD_SENDS * light_cloud_sun.rgb + 0.6 * (light_sky[0].rgb + light_sky[2].rgb);
    sky = mix(sky, cloud, hidden * exp(-air_to(from + way * direction)));
#endif
    return sky;
}
