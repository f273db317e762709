// What:   fills the table of the sky: its light from the horizon up, as seen from the ground, for sunlight of 1 above
//         the air.
// Source: Hillaire (2020), doi:10.1111/cgf.14050, sections 5.3 and 5.5

#include "draw/sky/sunlit_air.glsl"
#include "draw/sky/sky_coordinate.glsl"

const int STEPS = 24;
// over the ground; the table serves every eye, as air seen upwards hardly changes over a hill
const float EYE_KM = 0.05;

// Sine of the elevation, 2.3 degrees, whose light stands for the horizon's. The lowest way of all runs for hundreds of
// kilometres through the thickest air, and comes out darker and redder than what is above it, a dull band; but ways of
// a picture end on the ground after some tens, in the brightest haze. The root has no slope there, so that no line
// shows where the land's haze, of one light from the horizon down, meets the sky.
const float HORIZON_RISE = 0.04;

uniform ivec2 u_size;
uniform float u_sun_rise; // sine of the sun's elevation
uniform sampler2D u_multiple_scattering;

out vec4 out_light;

void main() {
    vec2 place = from_table(gl_FragCoord.xy, u_size);
    float rise = min(sqrt(pow(place.y, 4.0) + HORIZON_RISE * HORIZON_RISE), 1.0);
    vec3 direction = sky_direction(vec2(place.x, sqrt(rise)));
    vec3 sun = vec3(sqrt(max(1.0 - u_sun_rise * u_sun_rise, 0.0)), u_sun_rise, 0.0);
    float turned = dot(direction, sun);
    float rayleigh = rayleigh_phase(turned);
    float mie = mie_phase(turned);
    float radius = GROUND_KM + EYE_KM;
    float way = way_out_km(radius, direction.y, TOP_KM);
    vec3 light = vec3(0.0);
    vec3 kept = vec3(1.0);
    float from = 0.0;
    for (int i = 0; i < STEPS; ++i) {
        float share = float(i + 1) / float(STEPS);
        float to = way * share * share * share; // short steps near the eye, where air is dense and nothing is lost yet
        float at = 0.5 * (from + to);
        float there = sqrt(radius * radius + at * at + 2.0 * radius * direction.y * at);
        float sun_cosine = (radius * sun.y + at * turned) / there;
        Air air = air_at(there - GROUND_KM);
        vec3 through = exp(-(to - from) * air.extinction);
        vec2 often_at = vec2(0.5 + 0.5 * sun_cosine, (there - GROUND_KM) / (TOP_KM - GROUND_KM));
        vec3 often = texture(u_multiple_scattering, into_table(often_at, textureSize(u_multiple_scattering, 0))).rgb;
        vec3 source = (air.rayleigh * rayleigh + air.mie * mie) * sun_kept(there, sun_cosine)
            + (air.rayleigh + air.mie) * often;
        light += kept * source * (1.0 - through) / max(air.extinction, 1e-9);
        kept *= through;
        from = to;
    }
    out_light = vec4(light, 1.0);
}
