// What:   places one stone: turned, squashed and sunk into the ground, or left out where none would rest. Or its
//         shadow: the same stone, every vertex of it moved along the sun's rays to the ground. Or what it keeps of the
//         sky from the ground about it: the stone pressed flat and wider.

const float STEEP_DEG = 40.0; // stones roll on from here
const float LEVEL_DEG = 12.0; // and few come to lie on ground that is level
const float ON_PLAINS = 0.4, ON_SLOPES = 0.7; // of those under walls and on what has fallen or been washed together
const vec2 LEFT_THERE = vec2(0.2, 0.6); // of what counts as much, from where on stones lie in it, and lie closely
const vec2 SUNK = vec2(0.05, 0.4); // of its radius, the middle under the ground at the least and the most
const vec2 WALLS_DEG = vec2(38.0, 50.0); // slopes from which stones fall, and fall often
const vec2 UPHILL_M = vec2(25.0, 70.0); // how far above a place a wall is looked for

uniform sampler2D u_heights;
uniform sampler2D u_normals;
uniform sampler2D u_shape; // m of change by erosion first, slope in degrees last
uniform float u_change_m; // what counts as much of it
uniform sampler2D u_surface; // heights of the ground, or of standing water where it is higher
uniform vec2 u_cell_m; // x, z
uniform float u_exaggeration;
uniform mat4 u_view_projection;

in vec3 in_rock;
in vec4 in_stone; // x, z, size and the reach of its ring in metres
in vec4 in_chances; // 0 to 1

out vec3 v_position_world;
out vec3 v_on_stone_m; // place on the stone, before it was turned
out vec4 v_stone; // how far above the ground in radii; two chances; and metres of size
#ifdef CONTACT
const float WIDER = 1.6; // than the stone
const float CONTACT_LIFTED = 0.02; // of a radius
const vec2 CONTACT_SEEN = vec2(0.15, 0.35); // of its ring's reach, from where it fades: farther out it is pixels
out float v_away; // from the middle, in the stone's radii
out float v_dark; // how much of it shows
#endif
#ifdef SHADOW
const float LOWEST_SUN = 0.12; // sine of its height, 7 degrees: lower ones throw no longer shadows
const float BURIED = 0.6; // of the stone's width, where the ground cuts one that is sunk deep, at the least
const float LIFTED = 0.03; // of a radius, over the ground, which is coarser from afar
out vec3 v_ground_normal;
#endif

// The ground as its two triangles a cell have it.
float ground_m(vec2 place_m) {
    vec2 place = place_m / u_cell_m;
    ivec2 cell = clamp(ivec2(floor(place)), ivec2(0), textureSize(u_heights, 0) - 2);
    vec2 part = clamp(place - vec2(cell), 0.0, 1.0);
    float here = texelFetch(u_heights, cell, 0).r;
    float across = texelFetch(u_heights, cell + ivec2(1), 0).r;
    float corner = texelFetch(u_heights, cell + (part.y > part.x ? ivec2(0, 1) : ivec2(1, 0)), 0).r;
    float low = min(part.x, part.y), high = max(part.x, part.y);
    return here + (high - low) * (corner - here) + low * (across - here);
}

// Whether standing water covers the ground at the nearest vertex: it is drawn on the land, under every stone.
bool drowned(vec2 place_m) {
    ivec2 vertex = clamp(ivec2(place_m / u_cell_m + 0.5), ivec2(0), textureSize(u_heights, 0) - 1);
    return texelFetch(u_surface, vertex, 0).r > texelFetch(u_heights, vertex, 0).r;
}

vec2 normal_xz_at(vec2 place_m) {
    return textureLod(u_normals, (place_m / u_cell_m + 0.5) / vec2(textureSize(u_normals, 0)), 0.0).rg;
}

void main() {
    vec2 place_m = in_stone.xy;
    vec2 normal_xz = normal_xz_at(place_m);
    float slope = degrees(asin(clamp(length(normal_xz), 0.0, 1.0)));
    vec2 land_m = u_cell_m * vec2(textureSize(u_heights, 0));
    vec2 uphill = -normalize(normal_xz + 1e-6);
    float wall_deg = max(textureLod(u_shape, (place_m + UPHILL_M.x * uphill) / land_m, 1.0).a,
        textureLod(u_shape, (place_m + UPHILL_M.y * uphill) / land_m, 1.0).a);
    float fallen = smoothstep(WALLS_DEG.x, WALLS_DEG.y, wall_deg) * step(slope, wall_deg - 6.0);
    float left = textureLod(u_shape, (place_m + 0.5 * u_cell_m) / land_m, 0.0).r / u_change_m;
    fallen = max(fallen, smoothstep(LEFT_THERE.x, LEFT_THERE.y, left));
    float likely = mix(mix(ON_PLAINS, ON_SLOPES, smoothstep(0.0, LEVEL_DEG, slope)), 1.0, fallen)
        * (1.0 - smoothstep(STEEP_DEG - 6.0, STEEP_DEG, slope));

    vec3 shape = vec3(0.75 + 0.45 * in_chances.x, 0.55 + 0.4 * in_chances.y, 0.75 + 0.45 * in_chances.z);
    float turn = 6.2831853 * in_chances.w, tip = 6.2831853 * in_chances.x;
    vec3 rock = in_rock;
    rock.yz = mat2(cos(tip), sin(tip), -sin(tip), cos(tip)) * rock.yz; // before squashing: another side is up
    rock *= shape;
    rock.xz = mat2(cos(turn), sin(turn), -sin(turn), cos(turn)) * rock.xz;

    float radius = 0.5 * in_stone.z;
    vec3 middle = vec3(place_m.x, u_exaggeration * ground_m(place_m), place_m.y);
    vec4 clip = u_view_projection * vec4(middle, 1.0);
    radius *= smoothstep(1.0, 0.75, clip.w / in_stone.w); // grows in from the ring's edge; clip.w is how far it is
    float sunk = mix(SUNK.x, SUNK.y, fract(7.0 * in_chances.y + 3.0 * in_chances.w));
    v_position_world = middle + radius * (rock + vec3(0.0, -sunk * shape.y, 0.0));
    v_on_stone_m = 0.5 * in_stone.z * in_rock;
    v_stone = vec4((v_position_world.y - middle.y) / max(radius, 1e-3), in_chances.yz, in_stone.z);
#ifdef CONTACT
    v_away = WIDER * length(rock.xz);
    v_dark = 1.0 - smoothstep(CONTACT_SEEN.x, CONTACT_SEEN.y, clip.w / in_stone.w);
    vec2 flat_m = middle.xz + WIDER * radius * rock.xz;
    v_position_world = vec3(flat_m.x, u_exaggeration * ground_m(flat_m) + CONTACT_LIFTED * radius, flat_m.y);
#endif
#ifdef SHADOW
    // along the sun's rays down to where the ground is, which the second look finds on slopes too
    vec2 fall = light_sun_dir.xz / max(light_sun_dir.y, LOWEST_SUN);
    vec3 from = v_position_world;
    // what is buried is wider than what throws the shadow
    from.xz = middle.xz + (from.y < middle.y ? BURIED : 1.0) * (from.xz - middle.xz);
    vec3 onto = from;
    for (int i = 0; i < 3; i++) {
        onto.y = u_exaggeration * ground_m(onto.xz);
        onto.xz = from.xz - fall * clamp(from.y - onto.y, 0.0, 2.0 * radius);
    }
    v_position_world = vec3(onto.x, u_exaggeration * ground_m(onto.xz) + LIFTED * radius, onto.z);
    vec2 under_xz = normal_xz_at(onto.xz); // of the ground that the shadow falls on, which may face away from the sun
    float up = sqrt(max(1.0 - dot(under_xz, under_xz), 0.0));
    v_ground_normal = normalize(vec3(u_exaggeration * under_xz.x, up, u_exaggeration * under_xz.y));
#endif
    gl_Position = u_view_projection * vec4(v_position_world, 1.0);
    if (in_chances.z > likely || radius < 0.02 || drowned(place_m)) {
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0); // outside
    }
}
