// What:   person and pole in the scene's light and air.

#include "draw/light/diffuse_light.glsl"
#include "draw/sky/air.glsl"
#include "draw/light/shading.glsl"

in vec3 v_position_world;
in vec3 v_normal;
in vec3 v_albedo;

out vec4 out_color;

void main() {
    vec4 seen = seen_from(v_position_world.xz);
    vec3 light = shaded(v_albedo, normalize(v_normal), seen);
    out_color = vec4(into_display(through_air(light, v_position_world)), 1.0);
}
