// Values on fewer cells along one axis, by a tent of one coarse cell to either side. Twin of resample.coarser.

uniform sampler2D u_values;
uniform bool u_along_rows; // else down columns

out float out_value;

uniform int u_coarse;

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    ivec2 size = textureSize(u_values, 0);
    int fine = u_along_rows ? size.x : size.y;
    int at = u_along_rows ? cell.x : cell.y;
    float ratio = float(fine) / float(u_coarse);
    float centre = float(at) * ratio;
    int first = max(0, int(ceil(centre - ratio)));
    int last = min(fine - 1, int(floor(centre + ratio)));
    float total = 0.0, weights = 0.0;
    for (int from = first; from <= last; from++) {
        float weight = max(0.0, 1.0 - abs(float(from) - centre) / ratio);
        total += weight * texelFetch(u_values, u_along_rows ? ivec2(from, cell.y) : ivec2(cell.x, from), 0).x;
        weights += weight;
    }
    out_value = total / weights;
}
