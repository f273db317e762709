// What:   the averaged face normals of a height texture, x and z of the unit vector.
// Twin:   app/fellview/mesh/triangle_list.py, normals()

uniform sampler2D u_heights;
uniform vec2 u_cell_m; // x, z
uniform int u_stride; // vertices apart that they are of

out vec2 out_normal_xz;

// The face normal (v3 - v1) x (v2 - v1) of the cell at `cell`, x along columns and y along rows; zero outside the grid.
vec3 face_normal(ivec2 cell) {
    ivec2 size = textureSize(u_heights, 0);
    if (any(lessThan(cell, ivec2(0))) || any(greaterThanEqual(cell, size - 1))) {
        return vec3(0.0);
    }
    float height_m = texelFetch(u_heights, cell, 0).r;
    float rise_x = texelFetch(u_heights, cell + ivec2(1, 0), 0).r - height_m;
    float rise_z = texelFetch(u_heights, cell + ivec2(0, 1), 0).r - height_m;
    return vec3(-u_cell_m.y * rise_x, u_cell_m.x * u_cell_m.y, -u_cell_m.x * rise_z);
}

void main() {
    ivec2 vertex = u_stride * ivec2(gl_FragCoord.xy);
    vec3 total = face_normal(vertex) + face_normal(vertex - ivec2(1, 0)) + face_normal(vertex - ivec2(0, 1))
        + face_normal(vertex - ivec2(1, 1));
    out_normal_xz = normalize(total).xz;
}
