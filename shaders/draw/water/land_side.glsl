// What:   how many `steps` it is from a place over the land to where its sides are.
// Use:    float count = steps_to_land_side(position_world, steps);

float steps_to_land_side(vec3 position, vec3 steps) {
    vec2 to_side = mix(position.xz, light_land.xy - position.xz, step(0.0, steps.xz));
    vec2 count = to_side / max(abs(steps.xz), vec2(1e-6));
    return max(min(count.x, count.y), 0.0);
}
