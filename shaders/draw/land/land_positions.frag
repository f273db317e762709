// What:   where the land is that a pixel shows, and how much of it: the pixel's footprint in metres, above 0.

in vec3 v_position_world;

out vec4 out_place;

void main() {
    vec3 across = dFdx(v_position_world), up = dFdy(v_position_world);
    out_place = vec4(v_position_world, max(sqrt(max(dot(across, across), dot(up, up))), 1e-6));
}
