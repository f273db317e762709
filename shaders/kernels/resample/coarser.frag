// What:   values on fewer cells along one axis, by a tent of one coarse cell to either side.
// Twin:   app/fellview/terrain/resample.py, coarser()

uniform sampler2D u_values;
uniform bool u_along_rows; // else down columns
uniform int u_coarse;

out float out_value;

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    int i = u_along_rows ? cell.x : cell.y;
    ivec2 size = textureSize(u_values, 0);
    int fine = u_along_rows ? size.x : size.y;
    // in units of 1/u_coarse of a fine cell all is whole
    int first = max(0, ((i - 1) * fine + u_coarse - 1) / u_coarse);
    int last = min(fine - 1, (i + 1) * fine / u_coarse);
    int sum = 0;
    for (int at = first; at <= last; at++) {
        sum += max(0, fine - abs(at * u_coarse - i * fine));
    }
    out_value = 0.0;
    for (int at = first; at <= last; at++) {
        float weight = float(max(0, fine - abs(at * u_coarse - i * fine))) / float(sum);
        out_value += weight * texelFetch(u_values, u_along_rows ? ivec2(at, cell.y) : ivec2(cell.x, at), 0).x;
    }
}
