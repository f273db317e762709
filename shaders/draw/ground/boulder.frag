// What:   a stone: of what cliffs are made of, each with its own tint, darker where it meets the ground. Or its shadow:
//         what is left of the picture where it lies. Or what is left where it keeps the sky from the ground.
// Source: normals of the grain: Mikkelsen, "Bump mapping unparametrized surfaces on the GPU" (2010)

#include "draw/light/diffuse_light.glsl"
#include "draw/sky/air.glsl"
#include "draw/light/reversible_tone_map.glsl"
#include "draw/land/border_fade.glsl"
#include "draw/light/shading.glsl"
#include "draw/ground/material_parts.glsl"

const int STEEP = 2;
const float ROUGH_TOPS = 0.4; // of a face's normal, upwards: what is rough in it turns to the sky what is seen of it
const vec3 BLEACHED = vec3(1.62, 1.56, 1.48); // where it rains, the oldest stones, of rock: lichen, where cliffs break anew

uniform sampler2DArray u_materials;
uniform float u_wet; // 0 where it never rains
uniform float u_level_bias; // 0, or less in a draft, whose pixels are wider than its picture's

in vec3 v_position_world;
in vec3 v_on_stone_m;
in vec4 v_stone;

#ifdef CONTACT
const float LEFT = 0.65; // of the light, at the stone's foot
in float v_away;
in float v_dark;
#endif
#ifdef SHADOW
const float REACHED = 0.1; // of a shadow's ground, by the sun: blades and pebbles stand out of it, and light the rest
const vec3 SOME_GROUND = vec3(0.2); // how bright ground is taken to be: what shade leaves hardly depends on it

in vec3 v_ground_normal;
#endif

out vec4 out_color;

const float GRAIN_M = 0.05; // between the lights and the shadows of the grain of a stone of a metre

void main() {
#ifdef CONTACT
    out_color = vec4(vec3(mix(1.0, mix(LEFT, 1.0, smoothstep(0.6, 1.45, v_away)), v_dark)), 1.0);
    return;
#endif
#ifdef SHADOW
    vec4 lit_m = seen_from(v_position_world.xz);
    vec3 sunny = into_display(shaded(SOME_GROUND, v_ground_normal, lit_m));
    vec3 shady = into_display(shaded(SOME_GROUND, v_ground_normal, lit_m * vec4(REACHED, 1.0, 1.0, 1.0)));
    out_color = vec4(clamp(shady / max(sunny, 1e-4), 0.0, 1.0), 1.0);
    return;
#endif
    vec3 normal = normalize(cross(dFdx(v_position_world), dFdy(v_position_world)));
    normal *= dot(normal, light_eye.xyz - v_position_world) < 0.0 ? -1.0 : 1.0; // faces are flat, and face the eye
    vec3 side = abs(v_on_stone_m);
    vec2 place_m = side.y > max(side.x, side.z) ? v_on_stone_m.xz : side.x > side.z ? v_on_stone_m.zy : v_on_stone_m.xy;
    vec3 grain_at = vec3((place_m + 7.0 * v_stone.yz) * 2.0 * u_parts[STEEP].y, u_parts[STEEP].x);
    vec3 grain = texture(u_materials, grain_at, u_level_bias).rgb;
    vec3 along = dFdx(v_position_world), above = dFdy(v_position_world);
    float high_m = GRAIN_M * min(v_stone.w, 1.5) * dot(grain, vec3(1.0));
    vec3 across_above = cross(above, normal), across_along = cross(normal, along);
    float area = dot(along, across_above);
    vec3 steep = sign(area) * (dFdx(high_m) * across_above + dFdy(high_m) * across_along);
    normal = normalize(abs(area) * normal - steep);
    vec3 colour = mix(u_colours[STEEP], u_others[STEEP], v_stone.y) * grain * u_evens[STEEP]
        * mix(vec3(mix(0.8, 1.1, u_wet)), mix(vec3(1.2), BLEACHED, u_wet), v_stone.z);
    float open = mix(0.6, 1.0, smoothstep(-0.2, 0.4, v_stone.x)); // less sky between stone and ground
    vec3 albedo = paint(clamp(colour, 0.0, 1.0));
    vec4 seen = seen_from(v_position_world.xz) * vec4(1.0, open, 1.0, 1.0);
#ifdef LINEAR
    vec3 light = through_air(mix(0.7, 1.0, open) * lit(albedo, normal, seen), v_position_world);
    out_color = vec4(into_picture(faded_at_border(light, v_position_world)), 1.0);
#else
    float towards_sun = seen.x * max(dot(normal, light_sun_dir.xyz), 0.0);
    vec3 light = seen.y * sun_ambient * sun_shade.rgb + towards_sun * sun_light.rgb;
    vec3 seen_colour = through_air(min(albedo * light, 1.0), v_position_world);
    out_color = vec4(faded_at_border(seen_colour, v_position_world), 1.0);
#endif
}
