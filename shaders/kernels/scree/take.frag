// What:   how much lies in each cell after it has given and taken.
// Twin:   app/fellview/terrain/steps/scree.py, _take()

#include "kernels/scree/scree.glsl"

uniform sampler2D u_given;

out vec2 out_land; // rock, loose

float given_at(ivec2 cell) {
    return texelFetch(u_given, clamp(cell, ivec2(0), textureSize(u_given, 0) - 1), 0).r;
}

float to(ivec2 cell, float h, int x, int z) {
    return h - top_at(cell + ivec2(x, z));
}

float from(ivec2 cell, float drop_m, int x, int z, float least_m) {
    return given_at(cell + ivec2(x, z)) * over(-drop_m, least_m);
}

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    vec2 land = land_at(cell);
    float h = land.r + land.g, mine = given_at(cell);
    float tz = u_leasts_m.x, tx = u_leasts_m.y, td = u_leasts_m.z;
    float n = to(cell, h, 0, -1), s = to(cell, h, 0, 1), w = to(cell, h, -1, 0), e = to(cell, h, 1, 0);
    float nw = to(cell, h, -1, -1), ne = to(cell, h, 1, -1), sw = to(cell, h, -1, 1), se = to(cell, h, 1, 1);
    float lost = mine * (((over(n, tz) + over(s, tz)) + (over(w, tx) + over(e, tx)))
        + ((over(nw, td) + over(se, td)) + (over(ne, td) + over(sw, td))));
    float got = (from(cell, n, 0, -1, tz) + from(cell, s, 0, 1, tz))
        + (from(cell, w, -1, 0, tx) + from(cell, e, 1, 0, tx));
    got += (from(cell, nw, -1, -1, td) + from(cell, se, 1, 1, td))
        + (from(cell, ne, 1, -1, td) + from(cell, sw, -1, 1, td));
    out_land = vec2(land.r, max(land.g - lost, 0.0) + got);
}
