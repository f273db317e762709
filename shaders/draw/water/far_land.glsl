// What:   the land as what mirrors it sees it: light and drawn height (draw/land/far_land.frag), and how wide its cells
//         are.
// Use:    vec4 land = textureLod(u_far_land, land_coordinate(ground_m), level);  float width_m = far_land_cell_m();

#include "draw/water/land_coordinate.glsl"

uniform sampler2D u_far_land;

// A cell of the coarse land, in metres.
float far_land_cell_m() {
    return 1.0 / (light_map_place.x * float(textureSize(u_far_land, 0).x));
}
