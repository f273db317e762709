// What:   a landform over the heights below; `landform()`, in front of this, gives its height in metres and its cover.
// Twin:   app/fellview/terrain/landforms/form.py, lay()

uniform sampler2D u_below;
uniform vec2 u_origin_m; // the place of row 0 and column 0 from the landform's centre, turned with it
uniform vec2 u_column_m; // its steps by column and by row
uniform vec2 u_row_m;
uniform int u_blend; // 0 add, 1 maximum, 2 minimum, 3 replace, 4 mask
uniform int u_sign;
uniform float u_base_m;
uniform float u_smoothness_m;
uniform float u_rounded_m;

out float out_height_m;

const float FARTHEST_M = 1e6; // that a form counts, up and down: on narrow land what goes on beyond it leaves all bounds

float cut(float s) {
    if (u_sign > 0) {
        return smooth_max(s, 0.0, u_rounded_m);
    }
    return u_sign < 0 ? smooth_min(s, 0.0, u_rounded_m) : s;
}

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    float below = texelFetch(u_below, cell, 0).r;
    vec2 found = landform(u_origin_m + float(cell.x) * u_column_m + float(cell.y) * u_row_m);
    float s = clamp(found.x, -FARTHEST_M, FARTHEST_M);
    if (u_blend == 0) {
        out_height_m = below + cut(s);
    } else if (u_blend == 1) {
        out_height_m = smooth_max(below, u_base_m + s, u_smoothness_m);
    } else if (u_blend == 2) {
        out_height_m = smooth_min(below, u_base_m + s, u_smoothness_m);
    } else if (u_blend == 3) {
        out_height_m = below + (u_base_m + cut(s) - below) * found.y;
    } else {
        out_height_m = below * found.y + u_base_m + cut(s);
    }
}
