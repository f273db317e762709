// What:   light seen through air: what comes of it, and what the air between adds. Air thins upwards (aerosols by their
//         own height, Rayleigh's by its), and mist lies up to a height and thins above it. An endless way shows the
//         horizon's own light, so that land and sky meet without a seam.
// Use:    vec3 seen = through_air(light, position_world);  vec3 sky = through_mist(light, direction_world);
// Source: Koschmieder (1924): visibility is where contrast has fallen to 2 %, so extinction is -ln 0.02 / visibility;
//         Quilez, "Better fog" (2010): the closed form of an exponential height along a straight way.

#include "draw/sky/sky_light.glsl"

const float LEVEL_M = 0.01; // a way that rises by less counts as level

// The mean of exp(-height / scale) between the eye and a height, for what its two ends are; over short rises the ends'
// own mean, which is off by a twelfth of the square of rise / scale, where the closed form would cancel.
float mean_density(float at_eye, float there, float rise_m, float scale_m) {
    float share = rise_m / scale_m;
    return abs(share) < 0.1 ? 0.5 * (at_eye + there) : (at_eye - there) / share;
}

// Mist below a height, metres of full mist that stand under it; the derivative by height is the density.
float mist_below(float height_m) {
    float over = height_m - air_mist_top;
    return over < 0.0 ? over : air_mist_falloff * (1.0 - exp(-over / air_mist_falloff));
}

// A height of the land where it is drawn higher or lower than it is: mist and air keep to the valleys that they fill.
float true_height(float drawn_m) {
    return drawn_m / view_exaggeration;
}

// The optical depth of the mist on the way from the eye to a place.
float mist_to(vec3 position) {
    float rise = true_height(position.y - light_eye.y);
    float mean = abs(rise) < LEVEL_M ? light_at_eye.z : (mist_below(true_height(position.y)) - light_at_eye.y) / rise;
    return light_mist.w * mean * distance(light_eye.xyz, position);
}

// The optical depth of the air on the same way.
vec3 air_to(vec3 position) {
    float way = distance(light_eye.xyz, position);
#if SKY_KIND == SKY_PHYSICAL
    float low = max(true_height(light_eye.y), 0.0);
    float high = max(true_height(position.y), 0.0);
    float mie = mean_density(light_at_eye.x, exp(-high / air_mie.w), high - low, air_mie.w);
    // what Rayleigh's law scatters thins so slowly that the middle of the way stands for all of it
    return way * (air_rayleigh.rgb * exp(-0.5 * (low + high) / air_rayleigh.w) + air_mie.rgb * mie);
#else
    return way * air_mie.rgb;
#endif
}

// What an endless way through air shows, and one through mist.
vec3 endless_air(vec3 direction) {
#if SKY_KIND == SKY_GRADIENT
    return paint(sky_horizon.rgb);
#else
    return sky_light(direction);
#endif
}

vec3 endless_mist() {
#if SKY_KIND == SKY_GRADIENT
    return paint(sky_horizon.rgb);
#else
    return light_mist.rgb;
#endif
}

// `extra` is more depth of air than the way has.
vec3 through_more_air(vec3 light, vec3 position, float extra) {
#if SKY_KIND == SKY_SPACE
    return light;
#else
    vec3 air = endless_air(normalize(position - light_eye.xyz));
    vec3 mist = endless_mist();
    vec3 air_keeps = exp(-air_to(position) - extra);
    float mist_keeps = exp(-mist_to(position));
    // an eye over the mist has the air before it, an eye in it the mist: so the horizon is one colour for both
    vec3 over = mix(air, mix(mist, light, mist_keeps), air_keeps);
    vec3 within = mix(mist, mix(air, light, air_keeps), mist_keeps);
    return mix(over, within, light_at_eye.z);
#endif
}

vec3 through_air(vec3 light, vec3 position) {
    return through_more_air(light, position, 0.0);
}

vec3 through_mist(vec3 light, vec3 direction) {
#if SKY_KIND == SKY_SPACE
    return light;
#else
    float kept = exp(-light_mist.w * light_at_eye.w / max(direction.y, 1e-4));
    vec3 mist = mix(endless_air(vec3(direction.x, 0.0, direction.z)), endless_mist(), light_at_eye.z);
    return mix(mist, light, kept);
#endif
}
