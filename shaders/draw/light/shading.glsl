// What:   what a matt surface sends, as light or as display colour, whichever the picture is made of; and into it.
// Use:    vec3 light = shaded(albedo, normal, seen);  out_color = vec4(into_display(light), 1.0);

#include "draw/light/diffuse_light.glsl"
#include "draw/light/reversible_tone_map.glsl"

vec3 shaded(vec3 albedo, vec3 normal, vec4 seen) {
#ifdef LINEAR
    return lit(albedo, normal, seen);
#else
    float towards_sun = seen.x * max(dot(normal, light_sun_dir.xyz), 0.0);
    return min(albedo * (seen.y * sun_ambient * sun_shade.rgb + towards_sun * sun_light.rgb), 1.0);
#endif
}

vec3 into_display(vec3 light) {
#ifdef LINEAR
    return into_picture(light);
#else
    return light;
#endif
}
