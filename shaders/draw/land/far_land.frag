// What:   the light that the land sends, as far as what mirrors it can tell: the parts of its palette in plain colours,
//         by slope and height as draw/ground/part_weights.glsl lays them, under sun, sky and the land's own shadows;
//         and its height as drawn.
// Note:   under water there is the water's height, and the colour of what is steep: shores are seen from it, beds are
//         not.

#include "draw/sky/sky_light.glsl"
#include "draw/light/shading.glsl"

const int PARTS = 5;

uniform sampler2D u_heights;
uniform sampler2D u_normals;
uniform sampler2D u_surface;
uniform vec3 u_part_colours[PARTS]; // base, upper, steep, high, low
uniform vec4 u_borders; // degrees of slope to upper and to steep, heights of snow and sand
uniform vec2 u_size;

out vec4 out_land; // light, height in metres

void main() {
    vec2 place = gl_FragCoord.xy / u_size;
    float height_m = texture(u_heights, place).r;
    vec2 level = texture(u_normals, place).rg;
    vec3 normal = vec3(level.x, sqrt(max(1.0 - dot(level, level), 0.0)), level.y);
    float slope = degrees(acos(clamp(normal.y, 0.0, 1.0)));
    vec3 colour = mix(u_part_colours[0], u_part_colours[1], smoothstep(-5.0, 5.0, slope - u_borders.x));
    colour = mix(colour, u_part_colours[2], smoothstep(-4.0, 4.0, slope - u_borders.y));
    float sand = (1.0 - smoothstep(-4.0, 4.0, height_m - u_borders.w)) * (1.0 - smoothstep(14.0, 24.0, slope));
    colour = mix(colour, u_part_colours[4], sand);
    float over_line = (height_m - u_borders.z) / ground_snow_softness + 0.9 * normal.z;
    colour = mix(colour, u_part_colours[3], smoothstep(-0.3, 0.3, over_line) * (1.0 - smoothstep(40.0, 50.0, slope)));
    float surface_m = texture(u_surface, place).r;
    colour = surface_m > height_m ? u_part_colours[2] : colour;
    normal = normalize(vec3(normal.x * view_exaggeration, normal.y, normal.z * view_exaggeration));
    vec2 ground_m = (place - light_map_place.zw) / light_map_place.xy;
    out_land = vec4(shaded(paint(colour), normal, sun_and_sky(ground_m)), view_exaggeration * surface_m);
}
