// What:   what the land is made of at a place: the colour of its material, and its normal with the grain in it.
//         Height, slope, curvature and what erosion did lay one part of the palette over another; noise makes their
//         borders ragged. Far colours are the parts' own; textures only vary them, and average to 1 from afar.
// Use:    vec3 albedo = of_materials(position_m, texture_coordinate, normal);  normal then has the grain
// Units:  lengths in metres of the ground, whatever the size of the land: patches of two sizes, and grain
// Source: dominant plane by thresholds of noise instead of three fetches, after Golus, "Normal mapping for a triplanar
//         shader" (2017); heights decide at borders as in Mishkinis, "Advanced terrain texture splatting" (2013).

#include "lib/sky.glsl"
#include "lib/layers.glsl"

const int PARTS = 6; // base, upper, steep, high, low, deposit
const float BROAD_M = 2900.0; // a side of the patches, at two sizes; their ratio is no simple fraction
const float MIDDLE_M = 83.0;
const vec2 MIDDLE_SEEN_PX = vec2(6.0, 22.0); // a side on the screen from which they show, and show in full: repeats
const vec2 UPRIGHT = vec2(1.0, 0.45); // patches on steep ground stand on end, as joints and streaks of water do
const float CLOSER = 5.3; // a texture within the texture, where its texels would be seen
const vec2 CLOSER_SEEN_M = vec2(0.008, 0.002); // metres a pixel from which it shows, and shows in full
const float ALONE = 0.15; // the weight of a second material up to which the first one covers it, whatever their heights
const float PATCHES_SHARPER = -1.0; // levels: their finest are four texels wide, so that they do not glitter yet
const float SHARP = 0.7; // of a pixel, half a level of a texture, since without anisotropy slanting ground would be a blur
const float NOISE_DEVIATION = 42.0 / 255.0; // of the patches
const float STEEPEST = 2.0; // of the slopes of the grain
const float RAGGED_DEG = 7.0; // how far noise moves a border, in degrees of slope a deviation
const float BEND_M = 25.0; // the radius of curvature that counts in full

uniform sampler2D u_shape; // m of change by erosion, log10 m2 of drainage, curvature in 1/m, slope in degrees
uniform sampler2D u_patches;
uniform sampler2DArray u_materials; // display colours, and the heights in them
uniform sampler2DArray u_slopes;
uniform vec3 u_colours[PARTS]; // display colours, between which a part changes
uniform vec3 u_others[PARTS];
uniform vec3 u_evens[PARTS]; // one over the mean of the texture
uniform vec4 u_parts[PARTS]; // layer, 1/m of the texture, how rough over metres, how much of beds shows
uniform vec3 u_beds[2];
uniform float u_change_m; // what counts as much
uniform float u_wet;

float weights[PARTS];

// Light and dark beds, -1 to 1: waves of no common period, so that thick and thin ones alternate without one;
// steepened, and averaged out where they are below pixels.
const vec4 BED_WAVES = vec4(0.29, 0.53, 1.0, 2.73); // a bed height

float beds(float height_m, float pixel_m) {
    float bed = height_m / ground_bed_height;
    vec4 waves = sin(6.2831853 * bed * BED_WAVES + vec4(0.0, 2.4, 1.3, 4.1));
    vec4 seen = clamp(1.5 - 3.0 * BED_WAVES * pixel_m / ground_bed_height, 0.0, 1.0);
    float total = dot(waves * seen, vec4(0.5, 0.45, 0.4, 0.35));
    return 1.35 * total / (0.35 + abs(total));
}

vec4 of_texture(sampler2DArray layers, int part, vec2 place_m, vec2 across_m, vec2 along_m) {
    float repeats = u_parts[part].y;
    return textureGrad(layers, vec3(place_m * repeats, u_parts[part].x), repeats * across_m, repeats * along_m);
}

void lay(int part, float share) {
    for (int i = 0; i < PARTS; i++) {
        weights[i] *= 1.0 - share;
    }
    weights[part] += share;
}

void lay_parts(float height_m, vec4 shape, vec3 normal, vec2 noise) {
    float ragged = dot(noise, vec2(0.8, 0.5));
    float bend = clamp(BEND_M * shape.b, -1.0, 1.0); // above 0 on ridges
    float slope = shape.a + RAGGED_DEG * ragged + 4.0 * bend; // soil leaves ridges and gathers in hollows
    for (int i = 0; i < PARTS; i++) {
        weights[i] = 0.0;
    }
    weights[0] = 1.0;
    lay(1, smoothstep(ground_grass_slope - 5.0, ground_grass_slope + 5.0, slope));
    float left = shape.r / u_change_m * (1.0 + 0.5 * ragged) - 0.25;
    lay(5, smoothstep(0.0, 0.3, left) * (1.0 - smoothstep(34.0, 42.0, shape.a)));
    lay(2, smoothstep(ground_rock_slope - 4.0, ground_rock_slope + 4.0, slope));
    float over_sand = (height_m - ground_sand_height) / 4.0 + 0.6 * ragged;
    lay(4, (1.0 - smoothstep(-1.0, 1.0, over_sand)) * (1.0 - smoothstep(14.0, 24.0, slope)));
    // hollows and the side away from the noon sun (+z is north) keep snow longer, and no wall above 50 degrees does
    float over_line = (height_m - ground_snow_line) / ground_snow_softness
        + 0.45 * noise.x + 0.25 * noise.y - 0.6 * bend + 0.9 * normal.z;
    lay(3, smoothstep(-0.3, 0.3, over_line) * (1.0 - smoothstep(40.0, 50.0, slope + 4.0 * noise.y)));
}

vec3 of_materials(vec3 position_m, vec2 coordinate, inout vec3 normal) {
    vec4 shape = texture(u_shape, coordinate);
    vec4 broad = texture(u_patches, position_m.xz / BROAD_M, PATCHES_SHARPER);
    vec2 broad_noise = (broad.rg - 0.5) / NOISE_DEVIATION;

    // the plane that the grain lies in: the ground's, or for steep ground one of two upright ones
    vec3 facing = abs(normal) * vec3(1.0, 1.3, 1.0) + 0.05 * vec3(broad_noise.x, 0.0, broad_noise.y);
    bool along_y = facing.y > max(facing.x, facing.z), along_x = !along_y && facing.x > facing.z;
    vec2 place_m = along_y ? position_m.xz : along_x ? position_m.zy : position_m.xy;
    float faces = along_y ? normal.y : abs(along_x ? normal.x : normal.z);

    float pixel_m = length(fwidth(position_m));
    float near = smoothstep(MIDDLE_SEEN_PX.x, MIDDLE_SEEN_PX.y, MIDDLE_M / pixel_m);
    vec2 standing = along_y ? vec2(1.0) : UPRIGHT;
    vec4 middle = near * (texture(u_patches, standing * place_m / MIDDLE_M, PATCHES_SHARPER) - 0.5) / NOISE_DEVIATION;
    middle.zw *= standing;
    float height_m = position_m.y;
    lay_parts(height_m, shape, normal, vec2(broad_noise.x, middle.x));

    vec3 colour = vec3(0.0);
    vec3 wanted = vec3(0.0, 0.0, 0.0); // roughness, bedded, strong weights
    float first_weight = -1.0, second_weight = -1.0;
    int first = 0, second = 0;
    float hue = clamp(0.5 + ground_variation * (0.28 * broad_noise.y + 0.14 * middle.y), 0.0, 1.0);
    for (int i = 0; i < PARTS; i++) {
        float weight = weights[i];
        colour += weight * mix(u_colours[i], u_others[i], hue);
        wanted.xy += weight * u_parts[i].zw;
        bool most = weight > first_weight, more = weight > second_weight;
        second = most ? first : more ? i : second;
        second_weight = most ? first_weight : more ? weight : second_weight;
        first = most ? i : first;
        first_weight = most ? weight : first_weight;
    }
    vec2 crooked_m = place_m + 0.05 * middle.xy; // no straight row of repeats
    // textures change from pixel to pixel: levels by what a pixel covers, or borders were rows of dots
    vec2 across_m = SHARP * dFdx(crooked_m), along_m = SHARP * dFdy(crooked_m);
    vec4 one = of_texture(u_materials, first, crooked_m, across_m, along_m);
    float alone = 1.0 - smoothstep(0.5 * ALONE, ALONE, second_weight);
    second = alone > 0.0 ? first : second;
    vec2 second_m = alone > 0.0 ? CLOSER * crooked_m.yx : crooked_m;
    float finer = alone > 0.0 ? CLOSER : 1.0;
    vec4 other = of_texture(u_materials, second, second_m, finer * across_m, finer * along_m);
    vec2 slopes = STEEPEST * (2.0 * of_texture(u_slopes, first, crooked_m, across_m, along_m).rg - 1.0);
    slopes *= smoothstep(0.0, 0.25, first_weight - (alone > 0.0 ? 0.0 : second_weight)); // both meet at none
    // of two materials the one that stands higher here wins
    float share = alone > 0.0 ? 1.0 : clamp(0.5 + 2.5 * (first_weight - second_weight + 0.8 * (one.a - other.a)), 0.0, 1.0);
    vec3 grain = mix(other.rgb * u_evens[second], one.rgb * u_evens[first], share);
    float closer = alone * smoothstep(CLOSER_SEEN_M.x, CLOSER_SEEN_M.y, pixel_m);
    grain *= mix(vec3(1.0), other.rgb * u_evens[second], closer);

#ifdef LAYERS
    colour *= mix(vec3(1.0), layer_colour(height_m, coordinate, middle.x), wanted.y);
#else
    float bed = wanted.y * ground_strata * beds(height_m + 0.12 * ground_bed_height * middle.x
        + 0.3 * ground_bed_height * broad_noise.x, fwidth(height_m));
    colour *= mix(vec3(1.0), bed > 0.0 ? u_beds[1] : u_beds[0], abs(bed));
#endif

    float snowless = 1.0 - weights[3];
    float bend = clamp(BEND_M * shape.b, -1.0, 1.0);
    float wet = u_wet * ground_wetness * snowless
        * max(smoothstep(4.0, 6.5, shape.g), 0.5 * smoothstep(0.1, 0.8, -bend));
    // green where plants may live on it
    colour *= mix(vec3(1.0), vec3(0.7, 0.66 + 0.12 * u_wet, 0.62 + 0.06 * u_wet), wet);
    colour *= 1.0 + ground_variation * (0.05 * broad_noise.x + (0.02 + 0.3 * wanted.x) * middle.y) + 0.06 * bend;

    vec2 tilt = wanted.x * middle.zw + 0.4 * slopes;
    vec3 gradient = along_y ? vec3(tilt.x, 0.0, tilt.y) : along_x ? vec3(0.0, tilt.yx) : vec3(tilt, 0.0);
    vec2 broad_tilt = 0.6 * wanted.x * (broad.ba - 0.5) / NOISE_DEVIATION;
    normal = normalize(normal - faces * gradient - normal.y * vec3(broad_tilt.x, 0.0, broad_tilt.y));
    return paint(clamp(colour * grain, 0.0, 1.0));
}
