// What:   the ground's height between vertices, smoother than the triangles that it is drawn with, so that shores have
//         no corners at the borders of cells.
// Use:    float height_m = smooth_ground_m(coordinate);  coordinate as land_coordinate() gives it

#include "lib/b_spline.glsl"

uniform sampler2D u_ground_m;

float smooth_ground_m(vec2 place) {
    return b_spline(u_ground_m, place).r;
}
