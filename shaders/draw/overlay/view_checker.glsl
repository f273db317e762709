// What:   the view mode of light and dark squares, each pixel the mean of what it covers, so that far ones turn grey
//         and none beat.
// Use:    vec3 colour = view_colour(position_m, coordinate, normal);
// Source: Quilez, "Box-filtering procedural patterns" (2017).

uniform float u_square_m;

vec3 view_colour(vec3 position_m, vec2 coordinate, vec3 normal) {
    vec2 place = position_m.xz / u_square_m;
    vec2 wide = max(fwidth(place), 1e-4);
    vec2 mean = 2.0 * (abs(fract((place - 0.5 * wide) * 0.5) - 0.5) - abs(fract((place + 0.5 * wide) * 0.5) - 0.5)) / wide;
    return vec3(0.5 - 0.25 * mean.x * mean.y);
}
