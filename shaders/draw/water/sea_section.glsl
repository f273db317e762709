// What:   the cut side of the sea over a slab, or over land seen alone: like glass, lighter along its upper edge,
//         darker with depth; and what stands behind such land, seen through its sea, which is cut off there, too.
// Use:    vec3 light = sea_section(inside, position_world, level_m, direction_to_eye);  `inside` comes through it, the
//         level as drawn;  vec3 light = through_sea_section(behind, direction_world);

#include "draw/light/shading.glsl"
#include "draw/water/absorption.glsl"
#include "draw/water/fresnel.glsl"
#include "draw/water/land_coordinate.glsl"
#include "draw/water/water_light.glsl"

const float CUT_EDGE = 0.003; // of the land's width, the edge that is broken and catches the light
const float CUT_EDGE_LIGHT = 0.3; // how much of the studio's light it sends
const float CUT_ROOM = 0.5; // of what falls on the floor, the brightness of the room that is mirrored
const float CUT_DEEP = 0.5; // of the light that is left at the foot of a deep sea
const float CUT_DEEP_WIDTHS = 0.06; // of the land's width, how deep that is

vec3 sea_section(vec3 inside, vec3 at, float level_m, vec3 to_eye) {
    float width = max(light_land.x, light_land.y);
    vec2 to_side = min(at.xz, light_land.xy - at.xz);
    float facing = abs(to_side.x < to_side.y ? to_eye.x : to_eye.z);
    float mirrored = fresnel(facing);
    float under_m = level_m - at.y;
    float edge = 1.0 - smoothstep(0.25, 1.0, under_m / (CUT_EDGE * width));
    vec3 room = shaded(vec3(CUT_ROOM), vec3(0.0, 1.0, 0.0), in_the_open(vec2(1.0)));
    inside *= mix(1.0, CUT_DEEP, smoothstep(0.0, CUT_DEEP_WIDTHS, under_m / width));
    return mix(inside, room, max(mirrored, CUT_EDGE_LIGHT * edge));
}

// What stands `behind` the land in a direction, seen through its sea.
vec3 through_sea_section(vec3 behind, vec3 direction) {
    float level = drawn_height_m(water_sea_level);
    vec3 turn = 1.0 / (sign(direction + 1e-9) * max(abs(direction), 1e-6));
    vec2 one = -light_eye.xz * turn.xz, other = (light_land.xy - light_eye.xz) * turn.xz;
    vec2 first = min(one, other), last = max(one, other);
    float top = (level - light_eye.y) * turn.y;
    bool falls = direction.y < 0.0;
    float enters = max(max(first.x, first.y), falls ? top : 0.0), ends = min(last.x, last.y);
    ends = falls ? ends : min(ends, top);
    if (enters < 0.0 || ends <= enters || light_eye.y + ends * direction.y < light_land.z) {
        return behind;
    }
    vec3 at = light_eye.xyz + enters * direction;
    float way = ends - enters;
    if (falls && enters == top) {
        return water_light(behind, at, way * max(-direction.y, 0.1), in_the_open(vec2(1.0)), u_sea_bands, 1.0);
    }
    vec3 inside = mix(paint(water_colour.rgb) * level_light(in_the_open(vec2(1.0))), behind, exp(-water_extinction() * way));
    return sea_section(inside, at, level, -direction);
}
