// What:   the light that the land sends, as far as what mirrors it can tell: the parts of its palette in plain colours,
//         by slope and height as draw/ground/part_weights.glsl lays them, under sun, sky and the land's own shadows;
//         and its height as drawn.
// Note:   under water there is the water's height, and the colour of what is steep: shores are seen from it, beds are
//         not.

#include "draw/ground/plain_ground.glsl"
#include "draw/sky/sky_light.glsl"
#include "draw/light/shading.glsl"

uniform sampler2D u_heights;
uniform sampler2D u_normals;
uniform sampler2D u_surface;
uniform vec2 u_size;

out vec4 out_land; // light, height in metres

void main() {
    vec2 place = gl_FragCoord.xy / u_size;
    float height_m = texture(u_heights, place).r;
    vec2 level = texture(u_normals, place).rg;
    vec3 normal = vec3(level.x, sqrt(max(1.0 - dot(level, level), 0.0)), level.y);
    vec3 colour = plain_ground(height_m, normal);
    float surface_m = texture(u_surface, place).r;
    colour = surface_m > height_m ? u_part_colours[2] : colour;
    normal = normalize(vec3(normal.x * view_exaggeration, normal.y, normal.z * view_exaggeration));
    vec2 ground_m = (place - light_map_place.zw) / light_map_place.xy;
    vec4 seen = seen_past_land(ground_m) * vec4(sun_past_near_clouds(ground_m), 1.0, 1.0, 1.0);
    out_land = vec4(shaded(paint(colour), normal, seen), view_exaggeration * surface_m);
}
