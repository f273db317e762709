// What:   the light over pi that each cell of a coarse land sends, its ground in plain colours, under the sun and the
//         sky that it sees; and the height of its surface as drawn.
// Note:   of the ground that a cell itself sees half counts as lit, with its own colour: it is one bounce and a little
//         of the others.

#include "draw/ground/plain_ground.glsl"
#include "draw/light/sky_irradiance.glsl"
#include "lib/srgb.glsl"

uniform sampler2D u_coarse; // heights of the land's surface as drawn, coarse_heights.frag
uniform sampler2D u_surface; // true heights of the surface at all vertices
uniform sampler2D u_ground_m; // and of the ground under water
uniform sampler2D u_visible; // of the sun, a share
uniform sampler2D u_seen; // of the sky, a share
uniform vec2 u_cell_m; // of the coarse heights, x and z
uniform float u_exaggeration;
uniform vec3 u_sun_dir;
uniform vec3 u_sun; // over pi, past clouds
uniform vec4 u_sky[SKY_TERMS];
uniform vec3 u_around; // of what falls on level ground, what half of the ground around a cell gets
uniform vec3 u_water; // what water sends of what falls on it

out vec4 out_sent;

const float UNDER_M = 0.5; // of water, from where on it is seen and not the ground

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy), last = textureSize(u_coarse, 0) - 1;
    vec2 place = gl_FragCoord.xy / vec2(last + 1);
    ivec2 low = max(cell - 1, 0), high = min(cell + 1, last);
    vec2 slope = vec2(
        texelFetch(u_coarse, ivec2(high.x, cell.y), 0).r - texelFetch(u_coarse, ivec2(low.x, cell.y), 0).r,
        texelFetch(u_coarse, ivec2(cell.x, high.y), 0).r - texelFetch(u_coarse, ivec2(cell.x, low.y), 0).r)
        / (vec2(high - low) * u_cell_m);
    float ground_m = texture(u_ground_m, place).r;
    vec3 normal = normalize(vec3(-slope.x, 1.0, -slope.y));
    vec3 true_normal = normalize(vec3(-slope.x, u_exaggeration, -slope.y));
    vec3 albedo = from_srgb(plain_ground(ground_m, true_normal));
    albedo = mix(albedo, u_water, step(UNDER_M, texture(u_surface, place).r - ground_m));
    vec3 sun = u_sun * max(dot(normal, u_sun_dir), 0.0) * texture(u_visible, place).r;
    float seen = texture(u_seen, place).r;
    vec3 light = sun + seen * sky_irradiance(u_sky, normal) + (1.0 - (0.5 + 0.5 * normal.y) * seen) * albedo * u_around;
    out_sent = vec4(albedo * light, texelFetch(u_coarse, cell, 0).r);
}
