// What:   the land of hydraulic erosion: a texel holds ground, water and load of a cell.
// Use:    vec3 land = land_at(cell);  outside the grid the ground goes on falling and is dry
// Twin:   app/fellview/terrain/erosion/hydraulic.py, _surround()

uniform sampler2D u_land;
uniform float u_fall_outside;

vec3 land_at(ivec2 cell) {
    ivec2 size = textureSize(u_land, 0);
    ivec2 edge = clamp(cell, ivec2(0), size - 1);
    vec3 land = texelFetch(u_land, edge, 0).xyz;
    if (cell == edge) {
        return land;
    }
    float inside = texelFetch(u_land, clamp(2 * edge - cell, ivec2(0), size - 1), 0).x;
    float fall = u_fall_outside * max(inside - land.x, 0.0);
    return vec3(land.x - min(fall, max(land.x, 0.0)), 0.0, 0.0);
}
