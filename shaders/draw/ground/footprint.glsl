// What:   what a pixel covers of the ground: where it slants, less than its length, since the frames of a mean lie side
//         by side in it.
// Use:    Footprint footprint = pixel_footprint(position_m);
// Units:  metres of the ground

const float FINE = 0.85; // of a pixel: reliefs are drawn a little finer than is soft; any finer and one frame glitters
const float MOST_SHARPER = -3.0; // levels; broad maps are no finer than that
const float ROUND_PIXEL = 1.41421356; // length(fwidth()) of a place, where a pixel covers a square of side 1

uniform float u_round; // 1 where textures have no anisotropy
uniform vec4 u_footprint; // of a slanting pixel's length, the least that is averaged over; of that, what is needed in one
                          // of many frames; the frame's number, and how far chance moves seams in it

struct Footprint {
    vec3 across, up; // along the picture's axes, as finely as reliefs are drawn
    float longest_m; // of its sides
    float pixel_m; // its width
    float sharper; // levels to add where textures choose one by its length
};

Footprint pixel_footprint(vec3 position_m) {
    vec3 across = dFdx(position_m), up = dFdy(position_m);
    float longest = sqrt(max(max(dot(across, across), dot(up, up)), 1e-12));
    float covered_m = u_footprint.y * max(length(cross(across, up)) / longest, u_footprint.x * longest);
    float kept = u_round > 0.5 ? covered_m / longest : u_footprint.y;
    across *= FINE * kept;
    up *= FINE * kept;
    return Footprint(across, up, longest, ROUND_PIXEL * covered_m, max(log2(kept), MOST_SHARPER));
}
