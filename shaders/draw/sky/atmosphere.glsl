// What:   the air of a planet: what it scatters and absorbs at each height, and the tables made from that.
// Use:    Air air = air_at(height_km);  vec3 kept = transmittance(radius_km, cosine_of_zenith_angle);
// Source: Hillaire, "A scalable and production ready sky and atmosphere rendering technique" (2020),
//         doi:10.1111/cgf.14050: coefficients in table 1; Bruneton and Neyret (2008),
//         doi:10.1111/j.1467-8659.2008.01245.x: the layout of the table of transmittance; Dubovik et al. (2002),
//         doi:10.1175/1520-0469(2002)059<0590:VOAAOP>2.0.CO;2: that aerosols scatter 0.95 of what they take, and turn
//         it by a mean cosine of 0.6 to 0.7; Kattawar (1975): two lobes of Henyey and Greenstein, doi:10.1086/144246.
// Twin:   app/fellview/draw/sky/atmosphere.py

const float GROUND_KM = 6360.0;
const float TOP_KM = 6460.0;
const vec3 RAYLEIGH_PER_KM = vec3(5.802e-3, 13.558e-3, 33.1e-3);
const float RAYLEIGH_HEIGHT_KM = 8.0;
const float MIE_HEIGHT_KM = 1.2;
const float MIE_SCATTERED = 0.95;
// The mean cosine of the angle by which aerosols turn light, in the lobe ahead and in the one back, and the share of the
// lobe ahead: 0.64 in all. One lobe of 0.76 had twice the glow around the sun, and left the sky away from it a third.
const vec3 MIE_LOBES = vec3(0.70, -0.20, 0.93);
const vec3 OZONE_PER_KM = vec3(0.650e-3, 1.881e-3, 0.085e-3); // at its densest: 25 km, none 15 km below and above
const float PI = 3.14159265;

uniform float u_mie_per_km; // extinction by aerosols at sea level

struct Air {
    vec3 rayleigh; // scattering
    float mie; // scattering
    vec3 extinction;
};

Air air_at(float height_km) {
    Air air;
    air.rayleigh = RAYLEIGH_PER_KM * exp(-height_km / RAYLEIGH_HEIGHT_KM);
    float mie_extinction = u_mie_per_km * exp(-height_km / MIE_HEIGHT_KM);
    air.mie = MIE_SCATTERED * mie_extinction;
    air.extinction = air.rayleigh + mie_extinction + OZONE_PER_KM * max(1.0 - abs(height_km - 25.0) / 15.0, 0.0);
    return air;
}

// The way to the top of the air, or to a ball of `reach_km` radius, along a ray that starts inside of it.
float way_out_km(float radius_km, float cosine, float reach_km) {
    float under = radius_km * radius_km * (cosine * cosine - 1.0) + reach_km * reach_km;
    return max(-radius_km * cosine + sqrt(max(under, 0.0)), 0.0);
}

// The way to the ground, or -1 where the ray misses it.
float way_to_ground_km(float radius_km, float cosine) {
    float under = radius_km * radius_km * (cosine * cosine - 1.0) + GROUND_KM * GROUND_KM;
    return cosine < 0.0 && under >= 0.0 ? max(-radius_km * cosine - sqrt(under), 0.0) : -1.0;
}

float rayleigh_phase(float cosine) {
    return 3.0 / (16.0 * PI) * (1.0 + cosine * cosine);
}

float lobe(float cosine, float mean) {
    float spread = 1.0 + mean * mean - 2.0 * mean * cosine;
    return (1.0 - mean * mean) / (4.0 * PI * spread * sqrt(spread));
}

float mie_phase(float cosine) {
    return mix(lobe(cosine, MIE_LOBES.y), lobe(cosine, MIE_LOBES.x), MIE_LOBES.z);
}

// Where the table keeps a height and a direction: both by lengths of ways, which crowd entries at the horizon.
vec2 transmittance_coordinate(float radius_km, float cosine) {
    float widest = sqrt(TOP_KM * TOP_KM - GROUND_KM * GROUND_KM);
    float horizon = sqrt(max(radius_km * radius_km - GROUND_KM * GROUND_KM, 0.0));
    float least = TOP_KM - radius_km;
    float way = way_out_km(radius_km, cosine, TOP_KM);
    return vec2((way - least) / max(horizon + widest - least, 1e-6), horizon / widest);
}

// Radius and cosine at a place of the table; the inverse of transmittance_coordinate.
vec2 transmittance_ray(vec2 place) {
    float widest = sqrt(TOP_KM * TOP_KM - GROUND_KM * GROUND_KM);
    float horizon = widest * place.y;
    float radius = sqrt(horizon * horizon + GROUND_KM * GROUND_KM);
    float least = TOP_KM - radius;
    float way = least + place.x * (horizon + widest - least);
    float cosine = way <= 0.0 ? 1.0 : (widest * widest - horizon * horizon - way * way) / (2.0 * radius * way);
    return vec2(radius, clamp(cosine, -1.0, 1.0));
}

// From 0 to 1 over a table to its texels' middles.
vec2 into_table(vec2 place, ivec2 size) {
    return (clamp(place, 0.0, 1.0) * (vec2(size) - 1.0) + 0.5) / vec2(size);
}

// And from a texel to 0 to 1.
vec2 from_table(vec2 texel, ivec2 size) {
    return (texel - 0.5) / (vec2(size) - 1.0);
}
