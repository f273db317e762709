// What:   what each cell gives to its neighbours, a metre of their drop above the angle of rest.
// Twin:   app/fellview/terrain/steps/scree.py, _give()

#include "kernels/scree/scree.glsl"

uniform float u_rate;

out float out_given;

float of(ivec2 cell, float h, int x, int z, float least_m) {
    return over(h - top_at(cell + ivec2(x, z)), least_m);
}

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    vec2 land = land_at(cell);
    out_given = 0.0;
    if (land.g == 0.0) {
        return;
    }
    float h = land.r + land.g;
    float tz = u_leasts_m.x, tx = u_leasts_m.y, td = u_leasts_m.z;
    float n = of(cell, h, 0, -1, tz), s = of(cell, h, 0, 1, tz), w = of(cell, h, -1, 0, tx), e = of(cell, h, 1, 0, tx);
    float nw = of(cell, h, -1, -1, td), ne = of(cell, h, 1, -1, td);
    float sw = of(cell, h, -1, 1, td), se = of(cell, h, 1, 1, td);
    float total = ((n + s) + (w + e)) + ((nw + se) + (ne + sw));
    float most = max(max(max(n, s), max(w, e)), max(max(nw, se), max(ne, sw)));
    out_given = total > 0.0 ? min(land.g, u_rate * most) / total : 0.0;
}
