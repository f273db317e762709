// What materials and maps want to know of every vertex: change by erosion, drainage, curvature and slope.
// Twin: app/fellview/terrain/masks.py has slope and curvature.

uniform sampler2D u_heights;
uniform sampler2D u_change; // m
uniform sampler2D u_drainage; // m2
uniform vec2 u_cell_m; // x, z
uniform ivec2 u_has; // change, drainage

out vec4 out_shape;

float height_m(ivec2 vertex) {
    return texelFetch(u_heights, clamp(vertex, ivec2(0), textureSize(u_heights, 0) - 1), 0).r;
}

void main() {
    ivec2 vertex = ivec2(gl_FragCoord.xy);
    ivec2 last = textureSize(u_heights, 0) - 1;
    float here = height_m(vertex);
    vec2 before = vec2(height_m(vertex - ivec2(1, 0)), height_m(vertex - ivec2(0, 1)));
    vec2 after = vec2(height_m(vertex + ivec2(1, 0)), height_m(vertex + ivec2(0, 1)));
    vec2 cells = vec2(min(vertex + 1, last) - max(vertex - 1, ivec2(0)));
    vec2 rise = (after - before) / (max(cells, 1.0) * u_cell_m);
    vec2 bend = ((here - before) + (here - after)) / (u_cell_m * u_cell_m);
    float change = u_has.x > 0 ? texelFetch(u_change, vertex, 0).r : 0.0;
    float drainage = u_has.y > 0 ? log(max(texelFetch(u_drainage, vertex, 0).r, 1e-3)) / log(10.0) : 0.0;
    // half floats end at 65504
    out_shape = vec4(clamp(vec3(change, drainage, bend.x + bend.y), -6e4, 6e4), degrees(atan(length(rise))));
}
