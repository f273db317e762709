// What:   a texture read smoothly, without corners at the borders of texels: the cubic B-spline, by four linear
//         readings of its finest level; everywhere, or only where texels are wider than a pixel.
// Use:    vec4 value = b_spline(map, coordinate);  of a texture that is read linearly;  value = smooth_where_wide(map,
//         coordinate, linear);  linear: what texture() reads; call it where all pixels do, for it looks at their
//         difference
// Source: Sigg and Hadwiger, "Fast third-order texture filtering", GPU Gems 2 (2005), chapter 20

#include "lib/dynamic_branch.glsl"

const vec2 WIDE = vec2(0.35, 0.7); // texels that a pixel covers up to which they are wide, and from which they are not

vec4 b_spline(sampler2D map, vec2 coordinate) {
    vec2 size = vec2(textureSize(map, 0)), at = coordinate * size - 0.5;
    vec2 texel = floor(at), t = at - texel, u = 1.0 - t;
    vec2 w0 = u * u * u / 6.0, w3 = t * t * t / 6.0;
    vec2 w1 = (4.0 - 3.0 * t * t * (2.0 - t)) / 6.0, w2 = 1.0 - w0 - w1 - w3;
    vec2 low = w0 + w1, high = w2 + w3;
    vec2 a = (texel - 0.5 + w1 / low) / size, b = (texel + 1.5 + w3 / high) / size;
    return low.y * (low.x * textureLod(map, a, 0.0) + high.x * textureLod(map, vec2(b.x, a.y), 0.0))
        + high.y * (low.x * textureLod(map, vec2(a.x, b.y), 0.0) + high.x * textureLod(map, b, 0.0));
}

vec4 smooth_where_wide(sampler2D map, vec2 coordinate, vec4 linear) {
    vec2 covered = fwidth(coordinate) * vec2(textureSize(map, 0));
    float wide = 1.0 - smoothstep(WIDE.x, WIDE.y, max(covered.x, covered.y));
    DYNAMIC_IF(wide > 0.0) {
        linear = mix(linear, b_spline(map, coordinate), wide);
    }
    return linear;
}
