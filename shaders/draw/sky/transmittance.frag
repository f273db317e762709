// What:   fills a table: how much light of each colour comes through the air, by height and direction.
// Twin:   app/fellview/draw/sky/atmosphere.py, transmittance()

#include "draw/sky/atmosphere.glsl"

const int STEPS = 40;

uniform ivec2 u_size;

out vec4 out_kept;

void main() {
    vec2 ray = transmittance_ray(from_table(gl_FragCoord.xy, u_size));
    float step_km = way_out_km(ray.x, ray.y, TOP_KM) / float(STEPS);
    vec3 depth = vec3(0.0);
    for (int i = 0; i < STEPS; ++i) {
        float way = (float(i) + 0.5) * step_km;
        float radius = sqrt(ray.x * ray.x + way * way + 2.0 * ray.x * ray.y * way);
        depth += step_km * air_at(radius - GROUND_KM).extinction;
    }
    out_kept = vec4(exp(-depth), 1.0);
}
