// What:   what lies behind the land: the plain or the sea around it, the sky over that, or the studio that a slab stands in.
// Use:    vec3 light = beyond(direction_world);

#include "lib/light_here.glsl"
#include "lib/air.glsl"
#include "lib/studio.glsl"
// a file comes once, and this one is for passes without water too
#include "lib/hash.glsl"
#ifdef WATER
#include "lib/water.glsl"
#endif

// The plain around the land, at its foot. It fades into the horizon within some widths of the land, whatever the air,
// so that nobody looks for more land there.
vec3 plain(vec3 direction) {
    float way = (light_eye.y - light_eye.w) / max(-direction.y, 1e-6);
    vec3 place = light_eye.xyz + way * direction;
    vec3 light = lit(light_plain.rgb, vec3(0.0, 1.0, 0.0), vec2(past_clouds(place.xz), 1.0));
    return through_more_air(light, place, way / light_plain.w);
}

vec3 beyond(vec3 direction) {
    if (view_stage == STAGE_SLAB) {
#ifdef WATER
        return through_cut_sea(studio(direction), direction);
#endif
        return studio(direction);
    }
#ifdef WATER
    if (water_sea > 0.5 && direction.y < 0.0 && light_eye.y > view_exaggeration * water_sea_level) {
        return open_sea(direction);
    }
#endif
#ifndef LINEAR
    return sky_light(direction);
#else
    if (direction.y < 0.0 && SKY_KIND != SKY_GRADIENT) {
        return plain(direction);
    }
    return through_mist(sky_light(direction), direction);
#endif
}
