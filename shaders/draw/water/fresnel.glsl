// What:   the share of light that water reflects: a flat surface, and one roughened by waves.
// Use:    float share = fresnel(cosine);  float share = fresnel_of_waves(cosine, rough);
// Range:  cosine of the angle between sight and normal, 0 ... 1; rough: the deviation of slopes, from 0
// Source: Schlick, "An inexpensive BRDF model" (1994), doi:10.1111/1467-8659.1330233; Bruneton, Neyret, Holzschuch,
//         "Real-time realistic ocean lighting" (2010), doi:10.1111/j.1467-8659.2009.01618.x: the rough surface

const float WATER_F0 = 0.02; // reflected where one looks straight down: ((n - 1) / (n + 1))^2

float fresnel(float cosine) {
    return WATER_F0 + (1.0 - WATER_F0) * pow(1.0 - clamp(cosine, 0.0, 1.0), 5.0);
}

float fresnel_of_waves(float facing, float rough) {
    return WATER_F0 + (1.0 - WATER_F0) * pow(1.0 - facing, 5.0 * exp(-2.69 * rough)) / (1.0 + 22.7 * pow(rough, 1.5));
}
