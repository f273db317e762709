// What:   where the table of the sky keeps a direction: across by the turn from the sun, up by height over the horizon.
//         Both crowd entries where the sky changes most, and need no angle.
// Use:    vec2 place = sky_coordinate(direction, sun_direction);  vec3 direction = sky_direction(place) with the sun
//         over +x
// Twin:   app/fellview/draw/sky/atmosphere.py, sky_moments()

vec2 sky_coordinate(vec3 direction, vec2 sun_across) {
    // Downwards the light of air goes by the angle from the sun: the turn fades out towards the nadir, where it is none.
    float flat_length = direction.y > 0.0 ? max(length(direction.xz), 1e-6) : 1.0;
    float cosine = clamp(dot(direction.xz, sun_across) / flat_length, -1.0, 1.0);
    return vec2(sqrt(0.5 - 0.5 * cosine), sqrt(clamp(direction.y, 0.0, 1.0))); // the sine of half the turn
}

vec3 sky_direction(vec2 place) {
    float rise = place.y * place.y;
    float cosine = 1.0 - 2.0 * place.x * place.x;
    float level = sqrt(max(1.0 - rise * rise, 0.0));
    return vec3(level * cosine, rise, level * sqrt(max(1.0 - cosine * cosine, 0.0)));
}
