// What:   the light that air sends along a ray, scattered once from the sun, and what it lets through.
// Use:    Scattered seen = scattered(...);  needs the table of transmittance
// Source: Hillaire (2020), doi:10.1111/cgf.14050, sections 5.2 and 5.5.

#include "draw/sky/atmosphere.glsl"

const float GROUND_REFLECTS = 0.3; // of a mean planet's surface

uniform sampler2D u_transmittance;

// Of sunlight at a height, after its way through the air; none below the horizon.
vec3 sun_kept(float radius_km, float cosine) {
    float horizon = -sqrt(max(1.0 - GROUND_KM * GROUND_KM / (radius_km * radius_km), 0.0));
    vec2 place = transmittance_coordinate(radius_km, cosine);
    vec3 kept = texture(u_transmittance, into_table(place, textureSize(u_transmittance, 0))).rgb;
    return kept * smoothstep(-0.0047, 0.0047, cosine - horizon); // the sun's radius, 0.27°, in radians
}
