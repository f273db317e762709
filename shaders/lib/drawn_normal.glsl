// What:   the normal of the land as it is drawn, which may be more or less steep than it is.
// Use:    vec3 seen = drawn_normal(normal);

vec3 drawn_normal(vec3 normal) {
    return normalize(vec3(normal.x * view_exaggeration, normal.y, normal.z * view_exaggeration));
}
