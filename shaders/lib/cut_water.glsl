// What:   the cut side of the sea over a slab, or over land seen alone: like glass, lighter along its upper edge, darker with depth.
// Use:    vec3 light = cut_water(inside, at, level_m, direction_to_eye);  `inside` comes through it, level as drawn
// Source: Schlick, "An inexpensive BRDF model" (1994), doi:10.1111/1467-8659.1330233: Fresnel's reflection.

const float CUT_EDGE = 0.003; // of the land's width, the edge that is broken and catches the light
const float CUT_EDGE_LIGHT = 0.3; // how much of the studio's light it sends
const float CUT_HEAD_ON = 0.02; // as water.glsl has it
const float CUT_ROOM = 0.5; // of what falls on the floor, the brightness of the room that is mirrored
const float CUT_DEEP = 0.5; // of the light that is left at the foot of a deep sea
const float CUT_DEEP_WIDTHS = 0.06; // of the land's width, how deep that is

vec3 cut_water(vec3 inside, vec3 at, float level_m, vec3 to_eye) {
    float width = max(light_land.x, light_land.y);
    vec2 to_side = min(at.xz, light_land.xy - at.xz);
    float facing = abs(to_side.x < to_side.y ? to_eye.x : to_eye.z);
    float mirrored = CUT_HEAD_ON + (1.0 - CUT_HEAD_ON) * pow(1.0 - clamp(facing, 0.0, 1.0), 5.0);
    float under_m = level_m - at.y;
    float edge = 1.0 - smoothstep(0.25, 1.0, under_m / (CUT_EDGE * width));
    vec3 room = light_here(vec3(CUT_ROOM), vec3(0.0, 1.0, 0.0), vec2(1.0));
    inside *= mix(1.0, CUT_DEEP, smoothstep(0.0, CUT_DEEP_WIDTHS, under_m / width));
    return mix(inside, room, max(mirrored, CUT_EDGE_LIGHT * edge));
}
