// What:   the way along a sight line to a height over the eye, on a round earth.
// Use:    float way_m = way_up(rise_m, direction.y);
// Range:  metres; for what is above the eye and a direction that rises

const float EARTH_M = 6.371e6;

float way_up(float rise_m, float sine) {
    return 2.0 * rise_m / (sine + sqrt(sine * sine + 2.0 * rise_m / EARTH_M));
}
