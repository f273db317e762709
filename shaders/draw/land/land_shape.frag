// What:   what materials and maps want to know of every vertex: change by erosion, drainage, curvature and slope.
// Twin:   app/fellview/terrain/pipeline/masks.py, which has slope and curvature

uniform sampler2D u_heights;
uniform sampler2D u_change; // m
uniform sampler2D u_drainage; // m2
uniform vec2 u_cell_m; // x, z
uniform sampler2D u_before; // m, what erosion began with
uniform ivec3 u_has; // change, drainage, heights before erosion
uniform float u_goes_on; // 1 where the land is drawn on beyond its border: a bend towards level ground there would be a line

uniform int u_stride; // vertices apart that are looked at

out vec4 out_shape;

float height_m(ivec2 vertex) {
    return texelFetch(u_heights, clamp(vertex, ivec2(0), textureSize(u_heights, 0) - 1), 0).r;
}

// Drainage as a logarithm, softened over the neighbours: rivers are a cell wide and go by eight ways only. A loop of no
// turns is all that software OpenGL leaves out.
float soft_drainage(ivec2 vertex) {
    ivec2 last = textureSize(u_drainage, 0) - 1;
    float total = 0.0;
    int count = u_has.y > 0 ? 9 : 0;
    for (int i = 0; i < count; i++) {
        ivec2 step = ivec2(i % 3, i / 3) - 1;
        float share = float((2 - abs(step.x)) * (2 - abs(step.y))) / 16.0;
        total += share * log(max(texelFetch(u_drainage, clamp(vertex + step, ivec2(0), last), 0).r, 1e-3));
    }
    return total / log(10.0);
}

void main() {
    ivec2 vertex = u_stride * ivec2(gl_FragCoord.xy) + (u_stride - 1) / 2;
    ivec2 last = textureSize(u_heights, 0) - 1;
    float here = height_m(vertex);
    vec2 before = vec2(height_m(vertex - ivec2(1, 0)), height_m(vertex - ivec2(0, 1)));
    vec2 after = vec2(height_m(vertex + ivec2(1, 0)), height_m(vertex + ivec2(0, 1)));
    vec2 cells = vec2(min(vertex + 1, last) - max(vertex - 1, ivec2(0)));
    vec2 rise = (after - before) / (max(cells, 1.0) * u_cell_m);
    vec2 bend = ((here - before) + (here - after)) / (u_cell_m * u_cell_m);
    vec2 has_neighbours = vec2(notEqual(vertex, ivec2(0))) * vec2(notEqual(vertex, last));
    bend *= mix(vec2(1.0), has_neighbours, u_goes_on);
    float change = u_has.x > 0 ? texelFetch(u_change, vertex, 0).r
        : u_has.z > 0          ? here - texelFetch(u_before, vertex, 0).r
                               : 0.0;
    // half floats end at 65504
    out_shape = vec4(clamp(vec3(change, soft_drainage(vertex), bend.x + bend.y), -6e4, 6e4), degrees(atan(length(rise))));
}
