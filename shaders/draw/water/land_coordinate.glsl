// What:   places of the land as water asks for them: the texture coordinate of a place, the place of the land that is
//         the nearest to one beside it, and heights as they are drawn.
// Use:    vec2 coordinate = land_coordinate(ground_m);  vec2 inside_m = nearest_on_land(ground_m, out_m);
//         float drawn_m = drawn_height_m(height_m);
// Range:  a coordinate is 0 ... 1 over the land; `out_m` is how far away the nearest place is, 0 on the land

vec2 land_coordinate(vec2 ground_m) {
    return ground_m * light_map_place.xy + light_map_place.zw;
}

// The place of the land that is the nearest to `ground_m`, and how far away that is.
vec2 nearest_on_land(vec2 ground_m, out float out_m) {
    vec2 inside = clamp(ground_m, vec2(0.0), (1.0 - 2.0 * light_map_place.zw) / light_map_place.xy);
    out_m = distance(ground_m, inside);
    return inside;
}

// A height as it is drawn; depths are left as they are, for a land that is drawn higher keeps the colours of its water.
float drawn_height_m(float height_m) {
    return view_exaggeration * height_m;
}
