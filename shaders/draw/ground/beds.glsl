// What:   light and dark beds in rock where there are no layers: waves of no common period, so that thick and thin ones
//         alternate without one; steepened, and averaged out where they are below pixels.
// Use:    float bed = beds(height_m, pixel_m);
// Range:  -1 ... 1
// Twin:   app/fellview/draw/ground/rock_layers.py, beds()

const vec4 BED_WAVES = vec4(0.29, 0.53, 1.0, 2.73); // a bed height

float beds(float height_m, float pixel_m) {
    float bed = height_m / ground_bed_height;
    vec4 waves = sin(6.2831853 * bed * BED_WAVES + vec4(0.0, 2.4, 1.3, 4.1));
    vec4 seen = clamp(1.5 - 3.0 * BED_WAVES * pixel_m / ground_bed_height, 0.0, 1.0);
    float total = dot(waves * seen, vec4(0.5, 0.45, 0.4, 0.35));
    return 1.35 * total / (0.35 + abs(total));
}
