// What:   how high the land in each coarse cell stands against the sun: its mean where the land is one slope, its
//         highest vertex where a ridge runs through it that the mean would wear down, and with it the ridge's shadow.

uniform sampler2D u_coarse; // mean and highest, coarse_heights.frag

out float out_crest_m;

// The slope along `side` on which a cell lies for sure: the lesser of those to both sides, and none on a crest. At the
// border the one side there is.
float slope(ivec2 cell, ivec2 side) {
    ivec2 last = textureSize(u_coarse, 0) - 1;
    float here = texelFetch(u_coarse, cell, 0).r;
    float rise = here - texelFetch(u_coarse, max(cell - side, 0), 0).r;
    float fall = texelFetch(u_coarse, min(cell + side, last), 0).r - here;
    if (any(lessThan(cell - side, ivec2(0)))) {
        return abs(fall);
    }
    if (any(greaterThan(cell + side, last))) {
        return abs(rise);
    }
    return rise * fall > 0.0 ? min(abs(rise), abs(fall)) : 0.0;
}

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    vec2 here = texelFetch(u_coarse, cell, 0).rg;
    // on a slope a cell's corner stands half a cell of both of its slopes above the mean; vertices lie within
    out_crest_m = max(here.x, here.y - 0.5 * (slope(cell, ivec2(1, 0)) + slope(cell, ivec2(0, 1))));
}
