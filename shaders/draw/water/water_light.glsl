// What:   the light of a surface of water: what comes up through it, what it mirrors of sky and land, the sun's
//         glitter, and whitecaps where it is the sea.
// Use:    vec3 light = water_light(below, position_world, depth_m, seen, bands, sea);  below: the light of the ground
//         under it; seen: as draw/light/diffuse_light.glsl has it; bands: of its waves, as in waves_at(); sea: how high
//         waves of the sea stand there, of the open sea's, and 0 on other water
// Source: Cox and Munk (see draw/water/waves.glsl): glitter is as bright as there are slopes that mirror the sun
// Twin:   app/fellview/draw/water/water.py

#include "draw/water/waves.glsl"
#include "draw/sky/clouded_sky.glsl"
#include "lib/dynamic_branch.glsl"
#include "draw/water/absorption.glsl"
#include "draw/water/fresnel.glsl"
#include "draw/water/murk.glsl"
#include "draw/water/reflected_land.glsl"
#include "draw/water/water_at_place.glsl"
#include "draw/water/whitecaps.glsl"

const vec3 SHOAL_M = vec3(2.5, 0.9, 0.3); // depths at which waves of the three sizes stand in full

uniform vec4 u_sea_bands; // of waves, as in waves_at()

vec3 water_light(vec3 below, vec3 at, float depth_m, vec4 seen, vec4 bands, float sea) {
    vec3 to_eye = light_eye.xyz - at;
    float way = length(to_eye);
    vec3 view = to_eye / way;
    float up = max(view.y, 1e-3);
    vec3 shoaled = smoothstep(vec3(0.0), SHOAL_M, vec3(depth_m)); // no waves where there is no depth for them
    vec2 pixel_m = way * u_water_pixel * vec2(1.0, 1.0 / up);
    Waves waves = waves_at(at.xz, pixel_m, bands, shoaled, sea > 0.0);
    vec3 normal = normalize(vec3(-waves.slope.x, 1.0, -waves.slope.y));
    float facing = clamp(dot(normal, view), 0.02, 1.0);
    float rough = sqrt(waves.rough);

    float murk = 1.0;
    DYNAMIC_IF(sea == 0.0) {
        murk = murkier(at.xz, way * u_water_pixel * inversesqrt(up));
    }
    vec3 up_light = through_depth(below, depth_m, up, murk, seen);
    vec3 mirrored = reflect(-view, normal);
    // what is blurred by slopes comes from higher up on the mean, as those are seen best that lean to the eye
    mirrored.y = sqrt(mirrored.y * mirrored.y + waves.rough);
    mirrored = normalize(mirrored);
    vec3 over = clouded_sky(at, mirrored, rough);
    vec4 met = reflected_land(at, mirrored);
    over = mix(over, met.rgb, met.a);
    vec3 light = mix(up_light, over, fresnel_of_waves(facing, rough));
    DYNAMIC_IF(sea > 0.0 && u_whitecaps.x > LEAST_CAPS) {
        float foam = whitecap_cover(at.xz, way * u_water_pixel * inversesqrt(up), waves.gust) * shoaled.x * sea;
        light = mix(light, FOAM_ALBEDO * level_light(seen), foam);
    }

    vec3 halfway = normalize(view + light_sun_dir.xyz);
    float lean = max(dot(halfway, normal), 1e-3), lean2 = lean * lean;
    float spread = 2.0 * (0.5 * waves.rough) + light_sun_dir.w * light_sun_dir.w; // variance of both axes, and the disc
    float mirrors = exp(-(1.0 - lean2) / (lean2 * spread)) / (3.14159265 * spread * lean2 * lean2);
    float mirrored_sun = fresnel(dot(halfway, view));
    float glitter = min(3.14159265 * mirrored_sun * mirrors / (4.0 * max(facing, 0.1)), 40.0);
    return light + seen.x * step(0.0, light_sun_dir.y) * glitter * light_sun.rgb;
}
