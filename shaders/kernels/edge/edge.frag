// What:   the land sunk towards its border.
// Twin:   app/fellview/terrain/steps/edge.py, _sink()

uniform sampler2D u_heights;
uniform sampler2D u_noise;
uniform int u_shape; // 0 round, 1 square, 2 borders
uniform float u_width; // of the fade, in parts of the land
uniform float u_floor_m;
uniform vec2 u_eaten; // what the noise is multiplied by, and what is added then

out float out_height_m;

float fade(float t) {
    t = clamp(t, 0.0, 1.0);
    return t * t * t * (t * (6.0 * t - 15.0) + 10.0);
}

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy), size = textureSize(u_heights, 0);
    vec2 place = abs(2.0 * vec2(cell) / vec2(size - 1) - 1.0);
    float bay = u_eaten.x * texelFetch(u_noise, cell, 0).r + u_eaten.y;
    float share;
    if (u_shape == 2) {
        share = fade((0.5 * (1.0 - place.y) - bay) / u_width) * fade((0.5 * (1.0 - place.x) - bay) / u_width);
    } else {
        vec2 squared = place * place;
        float away = u_shape == 0 ? sqrt(squared.y + squared.x)
            : sqrt(sqrt(squared.y * squared.y + squared.x * squared.x));
        share = fade((0.5 * (1.0 - away) - bay) / u_width);
    }
    float height_m = texelFetch(u_heights, cell, 0).r;
    out_height_m = u_floor_m + (height_m - u_floor_m) * share;
}
