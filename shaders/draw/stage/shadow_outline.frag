// What:   how far the shadow of a slab's land reaches over the floor, for each line along the sun's direction: the
//         farthest place where a sight line from a vertex downwards meets the floor, where the line enters the land,
//         and where the vertex stands that throws it.
// Note:   places are metres away from the sun, from the land's middle; no land on a line is far towards the sun.

uniform sampler2D u_heights; // as drawn: mean and highest of each cell, coarse_heights.frag
uniform vec4 u_place; // from metres to texture coordinates of the land: factors x, z and offsets x, z
uniform vec2 u_land_m; // sides x, z
uniform vec2 u_towards; // the sun's direction over the ground
uniform float u_base_m;
uniform float u_reach; // metres a metre of height
uniform float u_half_m; // half the land's diagonal
uniform int u_steps;

out vec4 out_reach;

void main() {
    float lines = u_half_m * 2.0 / float(u_steps);
    float beside = (gl_FragCoord.x - 0.5 * float(u_steps)) * lines;
    vec2 start = 0.5 * u_land_m + beside * vec2(u_towards.y, -u_towards.x);
    float far = -4.0 * u_half_m;
    vec3 reach = vec3(far, far, 0.0);
    bool entered = false;
    for (int i = 0; i < u_steps; ++i) {
        float away = (float(i) + 0.5) * lines - u_half_m;
        vec2 at = start - away * u_towards;
        if (all(equal(at, clamp(at, vec2(0.0), u_land_m)))) {
            float height_m = texture(u_heights, at * u_place.xy + u_place.zw).g;
            float meets = away + (height_m - u_base_m) * u_reach;
            reach.y = entered ? reach.y : away;
            entered = true;
            reach.xz = meets > reach.x ? vec2(meets, away) : reach.xz;
        }
    }
    out_reach = vec4(reach, 0.0);
}
