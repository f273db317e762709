// What:   the ground's colour from afar: the parts of its palette in plain colours, by slope and height as
//         draw/ground/part_weights.glsl lays them.
// Use:    vec3 colour = plain_ground(height_m, normal);  in display colours

const int PLAIN_PARTS = 5;

uniform vec3 u_part_colours[PLAIN_PARTS]; // base, upper, steep, high, low
uniform vec4 u_borders; // degrees of slope to upper and to steep, heights of snow and sand
uniform float u_snow_softness; // metres of height

vec3 plain_ground(float height_m, vec3 normal) {
    float slope = degrees(acos(clamp(normal.y, 0.0, 1.0)));
    vec3 colour = mix(u_part_colours[0], u_part_colours[1], smoothstep(-5.0, 5.0, slope - u_borders.x));
    colour = mix(colour, u_part_colours[2], smoothstep(-4.0, 4.0, slope - u_borders.y));
    float sand = (1.0 - smoothstep(-4.0, 4.0, height_m - u_borders.w)) * (1.0 - smoothstep(14.0, 24.0, slope));
    colour = mix(colour, u_part_colours[4], sand);
    float over_line = (height_m - u_borders.z) / u_snow_softness + 0.9 * normal.z;
    return mix(colour, u_part_colours[3], smoothstep(-0.3, 0.3, over_line) * (1.0 - smoothstep(40.0, 50.0, slope)));
}
