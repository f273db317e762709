// What:   the studio that a slab stands in: a floor that runs up into a backdrop without an edge, lit by the scene's
//         sun and sky, and on it the slab's shadows.
// Use:    vec3 light = studio(direction_world);
// Source: the slab counts as a box as high as its border is on the mean. The share of the sky that a floor sees of
//         each side is Lambert's formula for a polygon, 1/(2 pi) times the sum over its edges of angle times the
//         normal's part; Baum, Rushmeier, Winget (1989), doi:10.1145/74333.74367. Of an upright rectangle's edges the
//         upright ones drop out over a level floor. The sun's shadow is that of the box: the base swept along it.

#include "lib/light_here.glsl"

const float FLOOR_ALBEDO = 0.50;
const float BACKDROP_DIM = 0.55; // what is left of the floor's brightness far up the backdrop
const float BACKDROP_RISE = 0.55; // sine of an elevation over which it dims
const float STUDIO_WIDTHS = 2.2; // widths of the slab over which the floor passes into the backdrop
const float SOFTEST = 0.10; // of the way from the slab, the half-shade's least width
const int THIRDS = 14; // (2/3)^14: to 0.3 % of the shadow's length
const float TWO_PI = 6.28318531;

// The share of its sky that a level floor loses to an upright rectangle on it; `a` and `b` are its lower corners as
// seen from the floor's place.
float hidden_by(vec2 a, vec2 b, float height_m) {
    vec3 low_a = vec3(a.x, 0.0, a.y), low_b = vec3(b.x, 0.0, b.y);
    vec3 high_a = low_a + vec3(0.0, height_m, 0.0), high_b = low_b + vec3(0.0, height_m, 0.0);
    vec3 turn = cross(low_a, low_b);
    vec3 high_turn = cross(high_a, high_b);
    float low_angle = atan(length(turn), dot(low_a, low_b));
    float high_angle = atan(length(high_turn), dot(high_a, high_b));
    return max(low_angle - high_angle * abs(high_turn.y) / max(length(high_turn), 1e-9), 0.0) / TWO_PI;
}

// The share of the sky that the slab hides from a place on the floor, relative to the land's corner.
float hidden_by_slab(vec2 place, float height_m) {
    vec2 low = -place, high = light_land.xy - place;
    float hidden = 0.0;
    if (low.x > 0.0 || high.x < 0.0) {
        float x = low.x > 0.0 ? low.x : high.x;
        hidden += hidden_by(vec2(x, low.y), vec2(x, high.y), height_m);
    }
    if (low.y > 0.0 || high.y < 0.0) {
        float z = low.y > 0.0 ? low.y : high.y;
        hidden += hidden_by(vec2(low.x, z), vec2(high.x, z), height_m);
    }
    return hidden;
}

// How far a place lies outside the base, less than nothing inside; relative to the base's middle.
float outside_base(vec2 place, vec2 half_land) {
    vec2 outside = abs(place) - half_land;
    return length(max(outside, 0.0)) + min(max(outside.x, outside.y), 0.0);
}

// The share of the sun that a place on the floor sees past the slab.
float sun_past_slab(vec2 place, float height_m) {
    if (sun_shadows == 0.0 || light_sun_dir.y <= 0.0) {
        return 1.0;
    }
    vec2 half_land = 0.5 * light_land.xy;
    vec2 from = place - half_land;
    vec2 sweep = -light_sun_dir.xz * height_m / light_sun_dir.y; // where the upper edge's shadow falls
    // The distance to the base is convex along the sweep, so that thirds of it find the swept base that lies nearest;
    // of many as near, the lowest, whose shadow is the sharpest.
    float low = 0.0, high = 1.0;
    for (int i = 0; i < THIRDS; ++i) {
        float third = (high - low) / 3.0;
        if (outside_base(from - (low + third) * sweep, half_land)
                <= outside_base(from - (high - third) * sweep, half_land)) {
            high -= third;
        } else {
            low += third;
        }
    }
    float at = 0.5 * (low + high);
    float nearest = outside_base(from - at * sweep, half_land);
    float way = at * length(sweep);
    float soft = max((SOFTEST + light_sun_dir.w) * way, 0.004 * max(light_land.x, light_land.y));
    return smoothstep(-soft, soft, nearest);
}

vec3 studio(vec3 direction) {
    vec3 up = vec3(0.0, 1.0, 0.0);
    vec3 open = light_here(vec3(FLOOR_ALBEDO), up, vec2(1.0));
    float rise = max(direction.y, 0.0);
    vec3 backdrop = open * mix(BACKDROP_DIM, 1.0, exp(-rise / BACKDROP_RISE));
    float over = light_eye.y - light_land.z;
    if (direction.y >= 0.0 || over <= 0.0) {
        return backdrop;
    }
    vec2 place = light_eye.xz - direction.xz * over / direction.y;
    float height_m = light_land.w - light_land.z;
    vec2 seen = vec2(sun_past_slab(place, height_m), 1.0 - hidden_by_slab(place, height_m));
    vec3 floor_ = light_here(vec3(FLOOR_ALBEDO), up, seen);
    float away = length(place - 0.5 * light_land.xy) / (STUDIO_WIDTHS * max(light_land.x, light_land.y));
    return mix(backdrop, floor_, exp(-away * away));
}
