// Values on fewer cells along one axis, by a tent of one coarse cell to either side. Twin of resample.coarser.

uniform sampler2D u_values;
uniform bool u_along_rows;
uniform int u_fine;
uniform int u_coarse;

out float out_value;

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    int i = u_along_rows ? cell.x : cell.y;
    // in units of 1/u_coarse of a fine cell all is whole
    int first = max(0, ((i - 1) * u_fine + u_coarse - 1) / u_coarse);
    int last = min(u_fine - 1, (i + 1) * u_fine / u_coarse);
    int sum = 0;
    for (int at = first; at <= last; at++) {
        sum += max(0, u_fine - abs(at * u_coarse - i * u_fine));
    }
    out_value = 0.0;
    for (int at = first; at <= last; at++) {
        float weight = float(max(0, u_fine - abs(at * u_coarse - i * u_fine))) / float(sum);
        out_value += weight * texelFetch(u_values, u_along_rows ? ivec2(at, cell.y) : ivec2(cell.x, at), 0).x;
    }
}
