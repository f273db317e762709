// What:   places on a land: of its textures, and of it mirrored at its sides over and over.
// Use:    vec2 from = on_land_texels(to_and_fro(place));
// Units:  sides of the land

const float ROUND = 0.012; // of a side: how far from a mirror line the ground begins to level out, or each were a crease

uniform vec2 u_land_texels; // of the land's textures, columns and rows

vec2 on_land_texels(vec2 place) {
    return (clamp(place, 0.0, 1.0) * (u_land_texels - 1.0) + 0.5) / u_land_texels;
}

// To and fro between 0 and 1, rounded where it turns.
vec2 to_and_fro(vec2 place) {
    vec2 t = abs(mod(place + 1.0, 2.0) - 1.0);
    t = mix(t, (t * t + ROUND * ROUND) / (2.0 * ROUND), lessThan(t, vec2(ROUND)));
    vec2 s = 1.0 - t;
    return 1.0 - mix(s, (s * s + ROUND * ROUND) / (2.0 * ROUND), lessThan(s, vec2(ROUND)));
}
