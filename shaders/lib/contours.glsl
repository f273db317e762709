// What:   lines of equal height.
// Use:    float ink = contour_ink(height_m);  0 off a line, to 0.8 on a heavy one
// Source: lines of a fixed width by screen derivatives: Evan Wallace, "Anti-aliased grid shader" (2015).

const float LINE_PX = 0.6; // half of a line's width, and of every fifth's
const float STRONG_PX = 1.1;
const float CROWDED_PX = 5.0; // lines nearer together than this fade, so that none beat against the pixels

uniform float u_contour_m;

float line_ink(float height_m, float interval_m, float half_px) {
    float per_pixel = length(vec2(dFdx(height_m), dFdy(height_m))) / interval_m;
    float lines = height_m / interval_m;
    float away_px = abs(fract(lines - 0.5) - 0.5) / max(per_pixel, 1e-9); // level ground has no lines
    float ink = clamp(half_px + 0.5 - away_px, 0.0, 1.0);
    return ink * step(1e-7, per_pixel) * clamp(2.0 - per_pixel * CROWDED_PX, 0.0, 1.0);
}

float contour_ink(float height_m) {
    return max(0.55 * line_ink(height_m, u_contour_m, LINE_PX), 0.8 * line_ink(height_m, 5.0 * u_contour_m, STRONG_PX));
}
