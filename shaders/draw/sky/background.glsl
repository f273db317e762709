// What:   what lies behind the land: the plain or the sea around it, the sky over that, or the studio that a slab
//         stands in.
// Use:    vec3 light = background(direction_world);  with ABOVE or BELOW defined where all directions rise, or none
//         does, and ROUND where the land goes on around a world that has no air to hide its horizon
// Note:   with NOTHING_BEHIND nobody asks for it, and a shader is the same with the eye over the sea and under it.

#include "draw/light/diffuse_light.glsl"
#include "draw/sky/air.glsl"
#include "draw/stage/studio.glsl"
#ifdef WATER
#include "draw/water/open_sea.glsl"
#include "draw/water/sea_section.glsl"
#endif

const float PLAIN_VARIES = 0.5; // of its colour, from the palest fields to the darkest
const float PLAIN_TILES = 0.4; // of the pattern of clouds, over the way in which the plain fades; its patches are fields

// The way out over the land's side from an eye over the land, else nothing.
float way_off_land(vec3 direction) {
    vec2 turn = 1.0 / (sign(direction.xz + 1e-9) * max(abs(direction.xz), 1e-6));
    vec2 one = -light_eye.xz * turn, other = (light_land.xy - light_eye.xz) * turn;
    vec2 last = max(one, other), first = min(one, other);
    return max(first.x, first.y) < 0.0 ? max(min(last.x, last.y), 0.0) : 0.0;
}

// The plain around the land, about at its foot. It fades into the horizon within some widths of the land, whatever the
// air, so that nobody looks for more land there.
vec3 plain(vec3 direction) {
    // Where it would lie under the land it is not seen: through gaps that are lower than the land's border, too, it begins
    // behind the land. The sum keeps growing up to the horizon, where a mere limit would be one flat wall.
    float way = (light_eye.y - light_eye.w) / max(-direction.y, 1e-6), off = way_off_land(direction);
    way += off * off / max(way + off, 1.0);
    vec3 place = vec3(light_eye.x + way * direction.x, light_eye.w, light_eye.z + way * direction.z);
    vec3 ground = light_plain.rgb;
#if SKY_KIND == SKY_PHYSICAL
    vec2 field = place.xz * PLAIN_TILES / light_plain.w;
    float level = log2(max(way / light_plain.w, 0.01)) + 4.0; // by distance alone: the plain is no map
    float fields = textureLod(u_clouds, field, level).r + textureLod(u_clouds, 3.1 * field.yx, level + 1.6).g - 1.0;
    ground *= 1.0 + PLAIN_VARIES * fields;
#endif
    vec3 light = lit(ground, vec3(0.0, 1.0, 0.0), in_the_open(vec2(sun_past_clouds(place.xz), 1.0)));
    float fade = way / light_plain.w; // squared: near the land the plain is whole, and far off nothing is left of it
    return through_more_air(light, place, fade * fade);
}

vec3 background(vec3 direction) {
#if defined(NOTHING_BEHIND)
    return vec3(0.0);
#elif defined(SLAB) && defined(SEA)
    return through_sea_section(studio(direction), direction);
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
#elif SKY_KIND != SKY_GRADIENT && defined(BELOW) && !defined(ROUND)
    return plain(direction);
#else
#if SKY_KIND != SKY_GRADIENT && !defined(ABOVE) && !defined(ROUND)
    if (direction.y < 0.0) {
        return plain(direction);
    }
#endif
    return through_mist(sky_light(direction), direction);
#endif
}
