// What:   what the rounds of scree share: heights of cells, and how far a drop is above the angle of rest.
// Use:    vec2 rock_and_loose = land_at(cell);  float height_m = top_at(cell);  float excess_m = over(drop_m, least_m);

uniform sampler2D u_land; // rock, loose
uniform vec3 u_leasts_m; // drops at the angle of rest, along z, along x and across

// The rock and what lies on it; past the edge, the nearest cell's, to which nothing moves.
vec2 land_at(ivec2 cell) {
    return texelFetch(u_land, clamp(cell, ivec2(0), textureSize(u_land, 0) - 1), 0).rg;
}

float top_at(ivec2 cell) {
    vec2 land = land_at(cell);
    return land.r + land.g;
}

float over(float drop_m, float least_m) {
    return max(drop_m - least_m, 0.0);
}
