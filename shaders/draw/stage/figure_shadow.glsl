// What:   the share of the sun that person and pole let through to a place on the ground.
// Use:    seen.x *= sun_past_figures(position_world);
// Source: both count as upright posts. The way to the sun passes a post at the distance m in plan and meets its axis
//         at some height; half-shade is as wide as the sun's disc makes it at that distance.
// Twin:   app/fellview/view/figure.py, standing()

#ifdef FIGURE
const int FIGURES = 2; // light_figure has as many pairs: xyz of the foot and height; half a width

float sun_past_figures(vec3 position) {
    float level = max(length(light_sun_dir.xz), 1e-4);
    float rise = light_sun_dir.y / level; // a metre of level way
    float kept = 1.0;
    for (int i = 0; i < FIGURES; ++i) {
        vec4 post = light_figure[2 * i];
        float half_m = light_figure[2 * i + 1].x;
        vec2 to_post = post.xz - position.xz;
        float along = dot(to_post, light_sun_across.xy);
        float beside = abs(to_post.x * light_sun_across.y - to_post.y * light_sun_across.x);
        float soft_m = light_sun_dir.w * max(along, 0.0) / level + 0.25 * half_m;
        float blur_m = max(soft_m, 0.5 * fwidth(beside)); // a line thinner than a pixel is as faint as it is thin
        float over = position.y + along * rise - post.y; // of the sight line to the sun, over the foot
        float within = smoothstep(-half_m, 0.5 * half_m, along)
            * (1.0 - smoothstep(-soft_m, soft_m, over - post.w));
        // a post thinner than the sun's disc looks from there hides only part of it
        float most = min(half_m / blur_m, 1.0);
        kept *= 1.0 - most * within * (1.0 - smoothstep(half_m - blur_m, half_m + blur_m, beside));
    }
    return kept;
}
#endif
