// The sky's gradient: the horizon's colour below and at the horizon, the zenith's overhead.

in vec3 v_dir_world;

out vec4 out_color;

void main() {
    float up = max(normalize(v_dir_world).y, 0.0);
    // the square root pales the lowest degrees quickly, as the longer way through the air does
    out_color = vec4(mix(sky_horizon.rgb, sky_zenith.rgb, sqrt(up)), 1.0);
}
