// What:   the slopes of a water's surface roughened by wind: a few waves of lengths in metres as far as pixels can show
//         them, and of all the rest the variance, which reflection is blurred by. Nothing finer than a pixel is drawn,
//         so that nothing shimmers.
// Use:    Waves waves = waves_at(place_m, along, pixel_m, strength, seconds);
// Source: Cox and Munk, "Measurement of the roughness of the sea surface" (1954), doi:10.1364/JOSA.44.000838: variance
//         of slopes 0.003 + 0.00512 U. A wave of length L runs at sqrt(g L / 2 pi). Pierson and Moskowitz (1964),
//         doi:10.1029/JZ069i024p05181: the longest waves under a wind U, 2 pi U^2 / (0.88^2 g).

const int WAVES = 10;
const float LONGEST_M = 24.0; // of the waves drawn; longer ones are too flat to see in the surface's light
const float SHORTER = 0.66; // each than the one before: the last is 0.57 m long
const float DRAWN = 0.6; // of the variance; the rest is in ripples shorter than those
const float SPREAD = 1.0; // radians to both sides of the wind
const float WIND_DIRECTION = 0.6; // radians from +x towards +z
const float GRAVITY = 9.81;
const float TAU = 6.28318531;
const float GOLDEN_SHARE = 0.61803399; // steps by it fill an interval evenly

struct Waves {
    vec2 slope; // along x and z
    float rough; // variance of the slopes that are not in it
};

float slope_variance(float wind) {
    return 0.003 + 0.00512 * wind;
}

// `along` is the horizontal direction of sight, of length 1, `pixel_m` what a pixel covers across and along it, the
// lesser first, and
// `strength` the waves' height over that on open water.
Waves waves_at(vec2 place_m, vec2 along, vec2 pixel_m, float strength, float seconds) {
    float wind = water_wind * strength;
    float longest = TAU * wind * wind / (0.88 * 0.88 * GRAVITY);
    float variance = slope_variance(wind) * min(strength * 4.0, 1.0);
    // crests that are straight for ever look made: the place is bent by less than the waves are long
    vec2 place = place_m + 1.3 * vec2(sin(place_m.y / 7.9 + sin(place_m.x / 31.0)), sin(place_m.x / 9.7 + sin(place_m.y / 23.0)));
    vec2 slope = vec2(0.0);
    float whole = 0.0, shown = 0.0, length_m = LONGEST_M;
    for (int i = 0; i < WAVES; ++i) {
        if (pixel_m.x > 0.5 * length_m) { // neither this wave nor any shorter one shows, and they all count in full
            whole += float(WAVES - i);
            break;
        }
        float turn = WIND_DIRECTION + SPREAD * (2.0 * fract(GOLDEN_SHARE * float(i + 1)) - 1.0);
        vec2 towards = vec2(cos(turn), sin(turn));
        float there = exp(-max(length_m / max(longest, 0.1) - 1.0, 0.0)); // what is longer than the wind can raise
        vec2 pixels = vec2(towards.x * along.y - towards.y * along.x, dot(towards, along)) * pixel_m / length_m;
        float kept = there * (1.0 - smoothstep(0.15, 0.5, length(pixels))); // two pixels a wave are the fewest
        float number = TAU / length_m;
        slope += kept * cos(number * dot(towards, place) - sqrt(GRAVITY * number) * seconds + 2.4 * float(i)) * towards;
        whole += there * there;
        shown += kept * kept;
        length_m *= SHORTER;
    }
    // a wave's slope a cos(...) has the variance a^2 / 2
    float share = DRAWN * variance / max(whole, 1e-6);
    return Waves(sqrt(2.0 * share) * slope, variance - share * shown);
}
