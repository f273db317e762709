// Lights the ground: texture times tint, sun and ambient light, and the air between ground and eye.

#include "lib/haze.glsl"

const float MODE_NORMALS = 1.0; // the place of "normals" among view.mode's choices
const float BARE_BLEND = 0.1; // cosine of slope over which grass gives way to bare ground
const vec3 LUMINANCE = vec3(0.2126, 0.7152, 0.0722); // ITU-R BT.709

uniform sampler2D u_normals;
uniform sampler2D u_ground;
uniform vec3 u_eye_world;
uniform vec3 u_sun_dir_world;

in vec3 v_position_world;
in vec2 v_across; // vertex number over the number of vertices, x along columns and y along rows

out vec4 out_color;

// The ground's normal, from the full grid however few triangles carry it, and averaged where cells shrink below a pixel.
vec3 ground_normal() {
    vec2 normal_xz = texture(u_normals, v_across + 0.5 / vec2(textureSize(u_normals, 0))).rg; // texel centres are vertices
    return vec3(normal_xz.x, sqrt(max(1.0 - dot(normal_xz, normal_xz), 0.0)), normal_xz.y);
}

void main() {
    vec3 normal = ground_normal();
    if (view_mode == MODE_NORMALS) {
        out_color = vec4(0.5 + 0.5 * normal, 1.0);
        return;
    }
    vec3 texel = texture(u_ground, ground_repeats * vec2(v_across.x, 1.0 - v_across.y)).rgb;
    float bare_cosine = cos(radians(ground_bare_slope));
    float bare = 1.0 - smoothstep(bare_cosine - BARE_BLEND, bare_cosine + BARE_BLEND, normal.y);
    vec3 albedo = mix(texel * ground_tint.rgb, dot(texel, LUMINANCE) * 1.6 * ground_bare_tint.rgb, bare);
    vec3 light = sun_ambient * sun_shade.rgb + max(dot(normal, u_sun_dir_world), 0.0) * sun_light.rgb;
    vec3 lit = min(albedo * light, 1.0);
    out_color = vec4(haze(lit, distance(u_eye_world, v_position_world)), 1.0);
}
