// What:   fills a table: the light that reaches a place after two scatterings and all that follow, for sunlight of 1,
//         by the sun's zenith angle (across) and height (up). It is taken to come evenly from everywhere, and each
//         further scattering to pass on the same share, so that the whole is a geometric series.
// Source: Hillaire (2020), doi:10.1111/cgf.14050, equations 5 to 10

#include "draw/sky/sunlit_air.glsl"

const int TURNS = 4; // directions about the vertical: half a circle, the other half mirrors it
const int RISES = 8; // and from straight down to straight up
const int STEPS = 16;

uniform ivec2 u_size;

out vec4 out_light;

void main() {
    vec2 place = from_table(gl_FragCoord.xy, u_size);
    float sun_cosine = 2.0 * place.x - 1.0;
    vec2 sun = vec2(sqrt(max(1.0 - sun_cosine * sun_cosine, 0.0)), sun_cosine);
    float radius = GROUND_KM + 0.01 + place.y * (TOP_KM - GROUND_KM - 0.02);
    vec3 second = vec3(0.0); // light that was scattered once, and reaches this place
    vec3 passed = vec3(0.0); // of light that is everywhere 1, what comes back here after one scattering
    for (int i = 0; i < TURNS * RISES; ++i) {
        float cosine = (2.0 * float(i / TURNS) + 1.0) / float(RISES) - 1.0;
        float turn = PI * (float(i % TURNS) + 0.5) / float(TURNS);
        float toward_sun = cos(turn) * sqrt(1.0 - cosine * cosine);
        float ground = way_to_ground_km(radius, cosine);
        float way = ground >= 0.0 ? ground : way_out_km(radius, cosine, TOP_KM);
        float step_km = way / float(STEPS);
        vec3 kept = vec3(1.0);
        for (int j = 0; j < STEPS; ++j) {
            float at = (float(j) + 0.5) * step_km;
            float there = sqrt(radius * radius + at * at + 2.0 * radius * cosine * at);
            float there_cosine = (radius * sun.y + at * (toward_sun * sun.x + cosine * sun.y)) / there;
            Air air = air_at(there - GROUND_KM);
            vec3 through = exp(-step_km * air.extinction);
            vec3 share = kept * (1.0 - through) / max(air.extinction, 1e-9);
            vec3 scattering = air.rayleigh + air.mie;
            second += share * scattering * sun_kept(there, there_cosine) / (4.0 * PI);
            passed += share * scattering;
            kept *= through;
        }
        if (ground >= 0.0) {
            float there_cosine = (radius * sun.y + way * (toward_sun * sun.x + cosine * sun.y)) / GROUND_KM;
            second += kept * GROUND_REFLECTS / PI * max(there_cosine, 0.0) * sun_kept(GROUND_KM + 0.001, there_cosine);
        }
    }
    float each = 1.0 / float(TURNS * RISES); // directions are spread evenly over the sphere
    out_light = vec4(each * second / (1.0 - min(each * passed, 0.99)), 1.0);
}
