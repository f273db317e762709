// What:   what a sight line that grazes the ground sees of relief which is only painted there, with no height: real
//         relief that is steeper than the sight line hides its far side and what lies behind it, and painted the same
//         would be drawn out into streaks.
// Use:    float most = most_slope_seen(sight_rises);  sight_rises: the sine of the angle between sight line and ground;
//         vec2 seen = slope_seen(slopes, most);  float share = shades_seen(most);
// Range:  slopes are less than most, and much gentler ones stay as they are; shares of hollows' and grain's shades are
//         0 ... 1, at right angles 1

const float STEEPER_SEEN = 1.2; // than the sight line: sides that face the eye are seen whole
const float USUAL_SLOPE = 0.3; // of hollows and grain, a deviation

float most_slope_seen(float sight_rises) {
    return STEEPER_SEEN * sight_rises * inversesqrt(max(1.0 - sight_rises * sight_rises, 1e-8));
}

vec2 slope_seen(vec2 slopes, float most) {
    return slopes * most * inversesqrt(most * most + dot(slopes, slopes) + 1e-12);
}

float shades_seen(float most) {
    return most * inversesqrt(most * most + USUAL_SLOPE * USUAL_SLOPE);
}
