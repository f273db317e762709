// What:   how far up from the shore a place lies for the waves: on flats more than it is.
// Use:    float over_m = height_over_shore_m(height_m, normal);

const float LEAST_SHORE_SLOPE = 0.04; // the least slope that the width of foam and wet ground goes by, or flats would be all foam

float height_over_shore_m(float height_m, vec3 normal) {
    float slope = sqrt(max(1.0 - normal.y * normal.y, 0.0)) / max(normal.y, 1e-3);
    return height_m * max(1.0, LEAST_SHORE_SLOPE / max(slope, 1e-4));
}
