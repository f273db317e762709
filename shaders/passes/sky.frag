// The sky's gradient: the horizon's colour below and at the horizon, the zenith's overhead.

const float PALE_BAND = 0.12; // sine of an elevation; at twice that, three quarters of the way to the zenith are gone

in vec3 v_dir_world;

out vec4 out_color;

void main() {
    float up = max(normalize(v_dir_world).y, 0.0);
    // low sight lines run through far more air; the square keeps the gradient's edge at the horizon out of sight
    float clear = 1.0 - exp(-up * up / (PALE_BAND * (up + PALE_BAND)));
    out_color = vec4(mix(sky_horizon.rgb, sky_zenith.rgb, clear), 1.0);
}
