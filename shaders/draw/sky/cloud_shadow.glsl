// What:   the layer of clouds: the share of the sun that it lets through to a place on the ground, and how much cloud
//         there is in a column of it.
// Use:    float kept = sun_past_clouds(ground_m);  float rank = cloud_rank(tiles, level, far);
//         float kept = sun_past_near_clouds(ground_m);  the same for what stays while the eye moves
// Range:  ranks 0 ... 1; tiles are metres over the ground times light_clouds.y
// Note:   a place's shadow is that of the cloud towards the sun from it, as far as the layer's base is above the plain:
//         higher ground has the shadow of the plain under it. An eye over the clouds sees so many tiles of their
//         pattern that it would see them repeat. What is far from it has the sum of two patterns aslant to each other,
//         and what is so far that clouds are no wider than a pixel, their mean.
// Twin:   app/fellview/draw/sky/cloud_pattern.py, which makes the pattern

uniform sampler2D u_clouds;

const float CLOUD_SOFT = 0.22; // of the rank, over which a cloud's edge thickens until it is as dark as it gets
const float CLOUD_SHADE = 0.88; // of the sun's light that a thick cloud keeps away; the rest comes through as through milk
const mat2 CLOUD_ASLANT = mat2(0.631, 0.475, -0.475, 0.631); // by 37 degrees, 0.79 times: their rows never meet again
const vec2 CLOUD_ASIDE = vec2(0.37, 0.61); // or both would have one middle
const vec2 CLOUD_FAR = vec2(0.6, 1.4); // tiles from the eye, between which the sum comes: from there on more than one is seen
const vec2 CLOUD_MEAN = vec2(8.0, 24.0); // the same of the mean: a patch is 0.45 degrees wide there, and a third of that

// How far `ground_m` is from an eye over the clouds, in tiles; nothing below them.
float cloud_tiles_away(vec2 ground_m) {
    return light_clouds.y * length(vec3(ground_m - light_cloud_eye.xz, light_cloud_eye.y));
}

// How much of the other pattern there is at places so many tiles away.
float cloud_far(float tiles_away) {
    return light_cloud_eye.w * smoothstep(CLOUD_FAR.x, CLOUD_FAR.y, tiles_away);
}

// The rank of a column among all, of which `far` says how much it has of another pattern. What two even ones add up to
// is distributed as a trapezium: by that the sum is a rank again, and the cover stays.
float cloud_rank(vec2 tiles, float level, float far) {
    float share = 0.5 * far;
    float other = textureLod(u_clouds, CLOUD_ASLANT * tiles + CLOUD_ASIDE, level).r;
    float sum = mix(textureLod(u_clouds, tiles, level).r, other, share);
    float end = min(sum, 1.0 - sum);
    float low = end < share ? 0.5 * end * end / (share * (1.0 - share)) : (end - 0.5 * share) / (1.0 - share);
    return sum < 0.5 ? low : 1.0 - low;
}

// Shares of the sun that clouds let through below a column of such a rank.
float sun_past_column(float rank) {
    float edge = 1.0 - light_clouds.x;
    return 1.0 - CLOUD_SHADE * smoothstep(edge, edge + CLOUD_SOFT, rank);
}

// The mean of those over all ranks.
float sun_past_mean() {
    float thickens = min(light_clouds.x / CLOUD_SOFT, 1.0);
    float edges = thickens * thickens * thickens * (1.0 - 0.5 * thickens) * CLOUD_SOFT;
    return 1.0 - CLOUD_SHADE * (edges + max(light_clouds.x - CLOUD_SOFT, 0.0));
}

// its finest level always: patches are many pixels wide, and beyond the land there are no differences to go by
float sun_past_near_clouds(vec2 ground_m) {
    return light_clouds.x == 0.0
        ? 1.0
        : sun_past_column(textureLod(u_clouds, (ground_m + light_clouds.zw) * light_clouds.y, 0.0).r);
}

float sun_past_clouds(vec2 ground_m) {
    float away = cloud_tiles_away(ground_m);
    float one = sun_past_column(cloud_rank((ground_m + light_clouds.zw) * light_clouds.y, 0.0, cloud_far(away)));
    float even = light_cloud_eye.w * smoothstep(CLOUD_MEAN.x, CLOUD_MEAN.y, away);
    return light_clouds.x == 0.0 ? 1.0 : mix(one, sun_past_mean(), even);
}
