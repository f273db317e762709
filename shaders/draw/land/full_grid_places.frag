// What:   the places that a coarse mesh shows, moved along their sight lines onto the full grid, and their depth. The
//         mesh is near the ground, so that a few steps of the secant method find where a line meets it. Where they come
//         no nearer, as at outlines, a place stays, and so do sides that hang down from the grid's border.
// Source: E. Risser, M. Shah, S. Pattanaik, "Interval Mapping" (University of Central Florida, 2006), for the secant
//         method on relief.

uniform sampler2D u_places; // xyz in the world in metres, and the footprint, as land_positions.frag has them
uniform sampler2D u_heights; // of the full grid, filtered
uniform sampler2D u_normals;
uniform vec2 u_cell_m; // x, z
uniform vec2 u_origin_m; // of the first vertex, x and z
uniform float u_exaggeration;
uniform vec4 u_eye; // where it is in the world, and 1; or the way to it, and 0 where sight lines are parallel
uniform mat4 u_view_projection;

out vec4 out_place;

const int STEPS = 2;
const float LEAST_RATE = 0.05; // of the first step: what is seen at a grazing angle is not looked for far off
const float LEVEL = 1.0; // of the normals it goes by: what is finer than two cells leads astray
const float LEAST_CHANGE_M = 1e-6;

vec2 cells_of(vec3 place) {
    return (place.xz - u_origin_m) / u_cell_m;
}

vec2 on_map(vec2 cells) {
    return (cells + 0.5) / vec2(textureSize(u_heights, 0));
}

// How far a place is above the ground, in metres as drawn.
float above_ground_m(vec3 place) {
    return place.y - u_exaggeration * textureLod(u_heights, on_map(cells_of(place)), 0.0).r;
}

bool is_inside(vec3 place) {
    vec2 cells = cells_of(place), last = vec2(textureSize(u_heights, 0) - 1);
    return clamp(cells, vec2(0.5), last - 0.5) == cells;
}

void main() {
    vec4 at = texelFetch(u_places, ivec2(gl_FragCoord.xy), 0);
    if (at.w == 0.0) {
        discard;
    }
    vec3 ray = normalize(at.xyz * u_eye.w - u_eye.xyz), found = at.xyz;
    float before_m = 0.0, gap_before_m = above_ground_m(at.xyz), least_m = is_inside(at.xyz) ? abs(gap_before_m) : 0.0;
    vec2 normal_xz = textureLod(u_normals, on_map(cells_of(at.xyz)), LEVEL).rg;
    float normal_y = sqrt(max(1.0 - dot(normal_xz, normal_xz), 1e-4));
    float rate = ray.y + u_exaggeration * dot(normal_xz, ray.xz) / normal_y; // that the gap grows by along the line
    rate = rate < 0.0 ? min(rate, -LEAST_RATE) : max(rate, LEAST_RATE);
    float along_m = -gap_before_m / rate;
    for (int number = 0; number < STEPS; number++) {
        vec3 place = at.xyz + along_m * ray;
        float gap_m = above_ground_m(place), change_m = gap_m - gap_before_m;
        bool nearer = abs(gap_m) < least_m && is_inside(place);
        found = nearer ? place : found;
        least_m = nearer ? abs(gap_m) : least_m;
        float next_m = along_m;
        next_m -= abs(change_m) > LEAST_CHANGE_M ? gap_m * (along_m - before_m) / change_m : 0.0;
        before_m = along_m;
        gap_before_m = gap_m;
        along_m = next_m;
    }
    out_place = vec4(found, at.w);
    vec4 seen = u_view_projection * vec4(found, 1.0);
    gl_FragDepth = 0.5 * seen.z / seen.w + 0.5;
}
