// What:   light as film shows it: a soft toe, a straight middle, and a shoulder on which bright colours pale to white.
// Use:    vec3 shown = filmic(exposed);  0 to 1, still light and not yet sRGB
// Source: the curve that S. Hill fitted to ACES' reference rendering and output transforms (2015), with its two colour
//         matrices: sRGB to a wider space and back, so that a bright blue goes through pale blue and not through cyan.

const mat3 INTO_FILM = mat3(
    0.59719, 0.07600, 0.02840,
    0.35458, 0.90834, 0.13383,
    0.04823, 0.01566, 0.83777);
const mat3 OUT_OF_FILM = mat3(
    1.60475, -0.10208, -0.00327,
    -0.53108, 1.10813, -0.07276,
    -0.07367, -0.00605, 1.07602);

vec3 filmic(vec3 exposed) {
    vec3 film = INTO_FILM * exposed;
    vec3 shown = (film * (film + 0.0245786) - 0.000090537) / (film * (0.983729 * film + 0.4329510) + 0.238081);
    return clamp(OUT_OF_FILM * shown, 0.0, 1.0);
}
