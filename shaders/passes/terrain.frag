// The land: what it is made of, the light on it, and the air between it and the eye.

#include "lib/ground.glsl"
#include "lib/light.glsl"
#include "lib/air.glsl"
#include "lib/picture.glsl"

const float MODE_NORMALS = 1.0; // the place of "normals" among view.mode's choices

in vec3 v_position_world;
in vec3 v_normal_world;
in vec2 v_texture;

out vec4 out_color;

void main() {
    vec3 normal = normalize(v_normal_world);
    vec3 albedo = ground_albedo(v_texture, normal);
    vec2 seen = sun_and_sky(v_position_world.xz);
#ifdef LINEAR
    out_color = vec4(into_picture(through_air(lit(albedo, normal, seen), v_position_world)), 1.0);
#else
    if (view_mode == MODE_NORMALS) {
        out_color = vec4(0.5 + 0.5 * normal, 1.0);
        return;
    }
    float towards_sun = seen.x * max(dot(normal, light_sun_dir.xyz), 0.0);
    vec3 light = seen.y * sun_ambient * sun_shade.rgb + towards_sun * sun_light.rgb;
    out_color = vec4(through_air(min(albedo * light, 1.0), v_position_world), 1.0);
#endif
}
