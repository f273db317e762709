// What:   the places of a draft's pixels, moved along their sight lines from its few triangles onto those of the full
//         grid; the footprints stay.
// Note:   each of two steps goes to the plane of the triangle over or under the place. Where the first has not come
//         much nearer the pixel may show another slope, and its place stays: so do those of skirts and rims, which lie
//         off the grid.

const float FARTHEST = 4.0; // footprints that the first step may go, and the second half as many
const float LEAST_NEARING = 0.05; // metres that a metre of the sight line nears a plane: along a slope it never meets
const float NEARER = 0.5; // how much of the way to the grid may be left after the first step

uniform sampler2D u_places;
uniform sampler2D u_heights;
#include "draw/land/coarse_height.glsl"
uniform vec2 u_cell_m; // x, z
uniform vec2 u_origin_m; // of the first vertex, x and z
uniform float u_exaggeration;

out vec4 out_place;

// The plane of the triangle at a place: its height there, and what that rises a metre of x and of z.
vec3 plane_at(vec2 ground_m) {
    ivec2 last = textureSize(u_heights, 0) - 1;
    vec2 place = (ground_m - u_origin_m) / u_cell_m;
    ivec2 low = clamp(ivec2(floor(place)), ivec2(0), last - 1);
    vec2 share = place - vec2(low);
    bool upper = share.x >= share.y; // the triangle with the corner r c+1
    float corner = height_at(low);
    float turn = height_at(low + (upper ? ivec2(1, 0) : ivec2(0, 1)));
    float across = height_at(low + 1);
    vec2 rise = upper ? vec2(turn - corner, across - turn) : vec2(across - turn, turn - corner);
    return u_exaggeration * vec3(corner + dot(rise, share), rise / u_cell_m);
}

// How far along the sight line the plane is from a place that lies `over_m` over it, up to `most_m` either way.
float way_to(vec3 plane, float over_m, vec3 sight, float most_m) {
    float nearing = max(dot(plane.yz, sight.xz) - sight.y, LEAST_NEARING);
    return clamp(over_m / nearing, -most_m, most_m);
}

void main() {
    vec4 drawn = texelFetch(u_places, ivec2(gl_FragCoord.xy), 0);
    vec3 sight = normalize(drawn.xyz - light_eye.xyz);
    float most_m = FARTHEST * drawn.w;

    vec3 plane = plane_at(drawn.xz);
    float over_m = drawn.y - plane.x;
    vec3 moved = drawn.xyz + way_to(plane, over_m, sight, most_m) * sight;

    plane = plane_at(moved.xz);
    float left_m = moved.y - plane.x;
    moved += way_to(plane, left_m, sight, 0.5 * most_m) * sight;

    bool is_nearer = drawn.w > 0.0 && abs(left_m) < NEARER * abs(over_m);
    out_place = vec4(is_nearer ? moved : drawn.xyz, drawn.w);
}
