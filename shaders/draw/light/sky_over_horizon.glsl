// What:   the light over pi that a ground gets from the part of an even sky that stands over a horizon, along one
//         direction.
// Use:    float light = sky_over_horizon(leans, n.y, slope);  leans: the part n.a of the normal along the direction a;
//         slope: the horizon's tangent
// Note:   it is the integral over e from the horizon's elevation h to 90° of cos e (n.a cos e + n.y sin e) = n.a/2 (90°
//         - h - sin h cos h) + n.y/2 cos² h
// Source: Max (1988), doi:10.1007/BF01905562, horizon mapping

float sky_over_horizon(float leans, float up, float slope) {
    float square = 1.0 / (1.0 + slope * slope); // of the cosine
    return 0.5 * leans * (1.57079633 - atan(slope) - slope * square) + 0.5 * up * square;
}
