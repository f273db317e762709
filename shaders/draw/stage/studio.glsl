// What:   the studio that a slab stands in: a floor that runs up into a backdrop without an edge, lit by the scene's
//         sun and sky, and on it the slab's shadows.
// Use:    vec3 light = studio(direction_world);
// Source: for the light of the sky the slab counts as a box, each side as high as it is on the mean. The share of the
//         sky that a floor sees of each side is Lambert's formula for a polygon, 1/(2 pi) times the sum over its edges
//         of angle times the normal's part; Baum, Rushmeier, Winget (1989), doi:10.1145/74333.74367. Of an upright
//         rectangle's edges the upright ones drop out over a level floor. The sun's shadow has the land's own outline.
// Twin:   app/fellview/draw/stage/studio.py

#include "draw/light/shading.glsl"

const float FLOOR_ALBEDO = 0.42;
const float FAR_DIM = 0.42; // what is left of the floor's brightness where it is the backdrop's foot
const float TOP_DIM = 0.62; // of that, far up the backdrop
const float BACKDROP_RISE = 0.35; // sine of an elevation over which it dims
const float POOL_WIDTHS = 1.15; // widths of the slab over which the floor's pool of light ends
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
float hidden_by_slab(vec2 place) {
    vec2 low = -place, high = light_land.xy - place;
    float hidden = 0.0;
    if (low.x > 0.0 || high.x < 0.0) {
        float x = low.x > 0.0 ? low.x : high.x;
        hidden += hidden_by(vec2(x, low.y), vec2(x, high.y), low.x > 0.0 ? light_sides.x : light_sides.y);
    }
    if (low.y > 0.0 || high.y < 0.0) {
        float z = low.y > 0.0 ? low.y : high.y;
        hidden += hidden_by(vec2(low.x, z), vec2(high.x, z), low.y > 0.0 ? light_sides.z : light_sides.w);
    }
    return hidden;
}

#ifdef OUTLINE
const int LOOKS = 9; // across the lamp's disc
const float SOFTEST = 0.0025; // of the slab's diagonal, the least half-shade: an edge is never cut with a knife

uniform sampler2D u_outline; // shadow_outline.frag

// The share of the sun that a place on the floor sees past the slab. From each of some lines side by side, as far apart
// as the lamp's disc is wide where it stands behind the outline, the part of the disc that the line's shadow covers.
float sun_past_slab(vec2 place) {
    vec2 from = place - 0.5 * light_land.xy;
    float diagonal = length(light_land.xy);
    float lines = float(textureSize(u_outline, 0).x);
    float across = 1.0 / (diagonal * (1.0 + 4.0 / lines)); // shadow_outline.frag goes two lines farther to either side
    float away = -dot(from, light_sun_across.xy);
    float beside = dot(from, vec2(light_sun_across.y, -light_sun_across.x));
    vec3 here = texture(u_outline, vec2(beside * across + 0.5, 0.5)).rgb;
    float level = length(light_sun_dir.xz);
    float wide = light_sun_dir.w * max(away - here.z, 0.0) / max(level, 0.05) + SOFTEST * diagonal;
    float deep = wide / max(light_sun_dir.y, 0.05);
    float dark = 0.0, all_ = 0.0;
    for (int i = 0; i < LOOKS; ++i) {
        float off = (2.0 * float(i) + 1.0) / float(LOOKS) - 1.0;
        float chord = sqrt(1.0 - off * off); // of the disc
        vec3 line = texture(u_outline, vec2((beside + off * wide) * across + 0.5, 0.5)).rgb;
        dark += chord * smoothstep(-chord * deep, chord * deep, line.x - away) * step(line.y, away);
        all_ += chord;
    }
    return 1.0 - dark / all_;
}
#endif

vec3 studio(vec3 direction) {
    vec3 up = vec3(0.0, 1.0, 0.0);
    vec3 open = shaded(vec3(FLOOR_ALBEDO), up, in_the_open(vec2(1.0)));
    float over = light_eye.y - light_land.z;
    float rise = max(direction.y, 0.0);
    vec3 backdrop = FAR_DIM * open * mix(TOP_DIM, 1.0, exp(-rise / BACKDROP_RISE));
    if (direction.y >= 0.0 || over <= 0.0) {
        return backdrop;
    }
    vec2 place = light_eye.xz - direction.xz * over / direction.y;
    vec4 seen = in_the_open(vec2(1.0, 1.0 - hidden_by_slab(place)));
#ifdef OUTLINE
    seen.x = sun_past_slab(place);
#endif
    vec3 floor_ = shaded(vec3(FLOOR_ALBEDO), up, seen);
    vec2 out_m = max(abs(place - 0.5 * light_land.xy) - 0.5 * light_land.xy, 0.0);
    float away = length(out_m) / (POOL_WIDTHS * max(light_land.x, light_land.y));
    return floor_ * mix(FAR_DIM, 1.0, exp(-away * away));
}
