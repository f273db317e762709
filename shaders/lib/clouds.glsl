// What:   the share of the sun that clouds let through to a place on the ground, whatever its height: the patches lie
//         still.
// Use:    float kept = past_clouds(ground_m);
// Twin:   app/fellview/draw/clouds.py makes the pattern.

uniform sampler2D u_clouds;

float past_clouds(vec2 ground_m) {
    // its finest level always: patches are many pixels wide, and beyond the land there are no differences to go by
    return light_clouds.x == 0.0 ? 1.0 : 1.0 - light_clouds.x * textureLod(u_clouds, ground_m * light_clouds.y, 0.0).r;
}
