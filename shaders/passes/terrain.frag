// The land: what it is made of, the light on it, and the air between it and the eye.

#include "lib/ground.glsl"
#include "lib/light.glsl"
#include "lib/air.glsl"
#include "lib/picture.glsl"
#include "lib/beyond.glsl"
#include "lib/border.glsl"

const float MODE_NORMALS = 1.0; // the place of "normals" among view.mode's choices

uniform sampler2D u_normals;

in vec3 v_position_world;
in vec2 v_across; // vertex number over the number of vertices, x along columns and y along rows

out vec4 out_color;

// The ground's normal, from the full grid however few triangles carry it, and averaged where cells shrink below a pixel.
vec3 ground_normal() {
    vec2 normal_xz = texture(u_normals, v_across + 0.5 / vec2(textureSize(u_normals, 0))).rg; // texel centres are vertices
    return vec3(normal_xz.x, sqrt(max(1.0 - dot(normal_xz, normal_xz), 0.0)), normal_xz.y);
}

// The normal of the land as it is drawn, which may be more or less steep than it is.
vec3 drawn_normal(vec3 normal) {
    return normalize(vec3(normal.x * view_exaggeration, normal.y, normal.z * view_exaggeration));
}

void main() {
    vec3 normal = ground_normal();
    vec3 albedo = ground_albedo(ground_repeats * vec2(v_across.x, 1.0 - v_across.y), normal);
    normal = drawn_normal(normal); // what the ground is made of goes by its true slope, light by what is seen
    vec2 seen = sun_and_sky(v_position_world.xz);
    vec3 position = v_position_world;
#ifdef WATER
    Standing water = standing_water(position);
    albedo = wetted(albedo, position.xz, water, normal);
#endif
#ifdef LINEAR
    vec3 light = lit(albedo, normal, seen);
#ifdef WATER
    light = with_water(light, position, water, normal, seen);
#endif
    light = through_air(light, position);
    out_color = vec4(into_picture(into_border(light, position)), 1.0);
#else
    if (view_mode == MODE_NORMALS) {
        out_color = vec4(0.5 + 0.5 * normal, 1.0);
        return;
    }
    float towards_sun = seen.x * max(dot(normal, light_sun_dir.xyz), 0.0);
    vec3 light = seen.y * sun_ambient * sun_shade.rgb + towards_sun * sun_light.rgb;
    vec3 colour = min(albedo * light, 1.0);
#ifdef WATER
    colour = min(with_water(colour, position, water, normal, seen), 1.0);
#endif
    out_color = vec4(into_border(through_air(colour, position), position), 1.0);
#endif
}
