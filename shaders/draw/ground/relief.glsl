// What:   the ground's relief that is smaller than a land's cells, of two sizes: turf, ripples or pits of plains, and
//         crags or lava of slopes and walls. Walls have it in an upright plane across their slope, so that gullies run
//         down them.
// Use:    Relief relief = ground_relief_at(position_m, normal, slope_deg, broad, close, seam, footprint);  broad,
//         close: noise of patches.glsl; seam: how far chance moves seams
// Source: normals of a relief whichever way it lies: Mikkelsen, "Surface gradient-based bump mapping" (2020)

#include "draw/ground/footprint.glsl"
#include "draw/ground/relief_texture.glsl"

const float RISES_DEG = 27.0; // from where on relief stands upright, as on walls, and no longer lies as on plains
const float WALL_DEG = 40.0; // steeper than anything loose
const float FAINT = 0.35; // of the relief of slopes, where it begins
const float FULL_DEG = 6.0; // later it is there in full
const float SECTORS = 6.0; // upright planes in half a turn: the nearest is within 15 degrees of across the slope
const float APART_M = 137.0; // how far the relief of the next plane is moved along
const vec2 UPRIGHT = vec2(1.8, 1.25); // heights in the relief of slopes, not stretched at 34 degrees, and of walls, at 53
const float WANDER_M = 4.0; // how far slow waves move reliefs aside, so that no row of repeats or ripples is straight
const vec2 WANDERS = 6.2831853 / vec2(173.0, 139.0); // along the other axis; a texture's eight bits would be steps here
const vec2 SMALL_SEEN_PX = vec2(16.0, 60.0); // a side of the smaller relief from which it shows, and shows in full

uniform vec4 u_lying[3]; // of the reliefs of plains, slopes and walls: layer, 1/m of it and of its smaller copy, and the
                          // slope that ends it
uniform vec2 u_ripples_wind; // whither it blows, along x and z

struct Relief {
    bool rises; // stands upright, as on walls, and does not lie as on plains
    mat3x2 onto; // from metres to its plane
    vec2 slopes; // along and up its plane
    vec4 stands; // height and hollow of the large relief, and of the small one
    float leans; // how much its own slopes make the ground steeper
};

Relief ground_relief_at(vec3 position_m, vec3 normal, float slope_deg, vec2 broad, vec2 close, float seam,
                        Footprint footprint) {
    float steep = slope_deg + 3.0 * broad.y + 1.2 * close.x + 2.5 * seam;
    bool rises = steep > RISES_DEG;
    bool wall = steep - 1.5 * broad.y > WALL_DEG;
    vec4 lying = rises ? (wall ? u_lying[2] : u_lying[1]) : u_lying[0];
    float sector = floor(SECTORS / 3.14159265 * atan(normal.z, normal.x + 1e-9) + 0.25 * broad.x + 0.06 * close.x + 0.12 * seam);
    float turn = (sector + 0.5) * (3.14159265 / SECTORS);
    vec2 along = vec2(-sin(turn), cos(turn));
    float upright = wall ? UPRIGHT.y : UPRIGHT.x;
    mat3x2 onto = rises ? mat3x2(along.x, 0.0, 0.0, upright, along.y, 0.0)
                        : mat3x2(u_ripples_wind.x, -u_ripples_wind.y, 0.0, 0.0, u_ripples_wind.y, u_ripples_wind.x);
    vec2 lies_m = onto * position_m, lies_across_m = onto * footprint.across, lies_up_m = onto * footprint.up;
    lies_m += WANDER_M * sin(WANDERS * lies_m.yx);
    lies_m.x += rises ? APART_M * sector : 0.0;
    vec4 large = relief_texel(lying.y, lying.x, lies_m, lies_across_m, lies_up_m);
    vec4 small = relief_texel(lying.z, lying.x, lies_m, lies_across_m, lies_up_m);
    small *= smoothstep(SMALL_SEEN_PX.x, SMALL_SEEN_PX.y, 1.0 / (lying.z * footprint.pixel_m));
    float strength = ground_relief * max(0.85 + 0.25 * broad.y, 0.2); // here slabs or ash, there blocks
    strength *= rises ? mix(FAINT, 1.0, smoothstep(RISES_DEG, RISES_DEG + FULL_DEG, steep))
                      : 1.0 - smoothstep(lying.w - 8.0, lying.w, slope_deg);
    return Relief(rises, onto, strength * (1.1 * large.rg + 0.8 * small.rg), strength * vec4(large.ba, small.ba),
        rises ? strength * (large.g + 0.5 * small.g) : 0.0);
}
