// What:   relief by light from the upper left, as on maps; level ground keeps its colour.
// Use:    colour *= map_relief(normal);  0.5 to 1.15

float map_relief(vec3 normal) {
    return clamp(dot(normal, vec3(-0.6, 1.0, 0.6)), 0.5, 1.15);
}
