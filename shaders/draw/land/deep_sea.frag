// What:   the sea at pixels whose places on its bed were drawn before, where it is too deep for the bed to be seen:
//         nothing of the ground's colour is worked out.
// Note:   terrain.frag draws all other land; the two agree where the bed sends no light

uniform sampler2D u_places;
#include "draw/land/deferred_derivatives.glsl"
#include "draw/sky/air.glsl"
#include "draw/light/reversible_tone_map.glsl"
#include "draw/land/border_fade.glsl"
#include "draw/water/standing_water.glsl"
#include "draw/water/water_over_ground.glsl"

out vec4 out_color;

void main() {
    vec3 position = deferred_position().xyz;
    StandingWater water = deep_sea(position.xz);
    vec3 light = with_water(vec3(0.0), position, water, vec3(0.0, 1.0, 0.0), vec4(1.0));
#ifdef LINEAR
    out_color = vec4(into_picture(faded_at_border(through_air(light, position), position)), 1.0);
#else
    out_color = vec4(faded_at_border(through_air(min(light, 1.0), position), position), 1.0);
#endif
}
