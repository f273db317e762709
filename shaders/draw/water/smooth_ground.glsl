// What:   the ground's height between vertices, smoother than the triangles that it is drawn with, so that shores have
//         no corners at the borders of cells: the cubic B-spline, by four readings between texels.
// Use:    float height_m = smooth_ground_m(coordinate);  coordinate as land_coordinate() gives it
// Source: Sigg and Hadwiger, "Fast third-order texture filtering", GPU Gems 2 (2005)

uniform sampler2D u_ground_m;

float smooth_ground_m(vec2 place) {
    vec2 size = vec2(textureSize(u_ground_m, 0)), at = place * size - 0.5;
    vec2 cell = floor(at), t = at - cell, u = 1.0 - t;
    vec2 w0 = u * u * u / 6.0, w3 = t * t * t / 6.0;
    vec2 w1 = (4.0 - 3.0 * t * t * (2.0 - t)) / 6.0, w2 = 1.0 - w0 - w1 - w3;
    vec2 low = w0 + w1, high = w2 + w3;
    vec2 a = (cell - 0.5 + w1 / low) / size, b = (cell + 1.5 + w3 / high) / size;
    return low.y * (low.x * texture(u_ground_m, a).r + high.x * texture(u_ground_m, vec2(b.x, a.y)).r)
        + high.y * (low.x * texture(u_ground_m, vec2(a.x, b.y)).r + high.x * texture(u_ground_m, b).r);
}
