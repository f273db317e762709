// What:   the layer of clouds: the share of the sun that it lets through to a place on the ground, and how much cloud
//         there is in a column of it.
// Use:    float kept = sun_past_clouds(ground_m);  float rank = cloud_rank(layer_m);
// Note:   a place's shadow is that of the cloud towards the sun from it, as far as the layer's base is above the plain:
//         higher ground has the shadow of the plain under it.
// Twin:   app/fellview/draw/sky/cloud_pattern.py, which makes the pattern

uniform sampler2D u_clouds;

const float CLOUD_SOFT = 0.22; // of the rank, over which a cloud's edge thickens until it is as dark as it gets
const float CLOUD_SHADE = 0.88; // of the sun's light that a thick cloud keeps away; the rest comes through as through milk

// Shares of the sun that clouds let through below a column of such a rank.
float sun_past_column(float rank) {
    float edge = 1.0 - light_clouds.x;
    return 1.0 - CLOUD_SHADE * smoothstep(edge, edge + CLOUD_SOFT, rank);
}

float sun_past_clouds(vec2 ground_m) {
    // its finest level always: patches are many pixels wide, and beyond the land there are no differences to go by
    return light_clouds.x == 0.0
        ? 1.0
        : sun_past_column(textureLod(u_clouds, (ground_m + light_clouds.zw) * light_clouds.y, 0.0).r);
}
