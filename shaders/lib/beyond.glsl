// What:   what lies behind the land: the plain or the sea around it, the sky over that, or the studio that a slab stands in.
// Use:    vec3 light = beyond(direction_world);  with ABOVE or BELOW defined where all directions rise, or none does

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
#if defined(SLAB) && defined(SEA)
    return through_cut_sea(studio(direction), direction);
#elif defined(SLAB)
    return studio(direction);
#elif defined(OPEN_SEA) && defined(BELOW)
    return open_sea(direction);
#elif defined(OPEN_SEA) && !defined(ABOVE)
    if (direction.y < 0.0) {
        return open_sea(direction);
    }
#endif
#ifndef LINEAR
    return sky_light(direction);
#elif SKY_KIND != SKY_GRADIENT && defined(BELOW)
    return plain(direction);
#else
#if SKY_KIND != SKY_GRADIENT && !defined(ABOVE)
    if (direction.y < 0.0) {
        return plain(direction);
    }
#endif
    return through_mist(sky_light(direction), direction);
#endif
}
