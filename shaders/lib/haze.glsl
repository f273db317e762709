// What:   a colour seen through the air: it fades to the horizon's colour with distance.
// Use:    vec3 seen = haze(colour, distance_m);  needs the block Look
// Source: Koschmieder (1924): visibility is where contrast has fallen to 2 %, so extinction is -ln 0.02 / visibility.

const float KOSCHMIEDER = 3.912;

vec3 haze(vec3 colour, float distance_m) {
    float kept = exp(-KOSCHMIEDER * distance_m / (1000.0 * sky_visibility));
    return mix(sky_horizon.rgb, colour, kept);
}
