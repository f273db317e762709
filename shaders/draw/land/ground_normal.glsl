// What:   the ground's normal, from the full grid however few triangles carry it, and averaged where cells shrink
//         below a pixel.
// Use:    vec3 normal = ground_normal(across);  across is the vertex number over the number of vertices

uniform sampler2D u_normals;

// Where the vertices around a place stand in textures of the grid.
vec2 on_texels(vec2 across) {
    return across + 0.5 / vec2(textureSize(u_normals, 0));
}

vec3 ground_normal(vec2 across) {
    vec2 normal_xz = texture(u_normals, on_texels(across)).rg;
    return vec3(normal_xz.x, sqrt(max(1.0 - dot(normal_xz, normal_xz), 0.0)), normal_xz.y);
}
