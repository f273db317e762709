// What:   what the land is made of at a place: the colour of its material, and its normal with all in it that is smaller
//         than a land's cells: reliefs of crags, turf, ripples, pits or lava at fixed sizes, and the grain of materials.
//         Height, slope, curvature, what erosion did and the relief's own ledges and hollows lay one part of the palette
//         over another. Far colours are the parts' own; reliefs and textures only vary them, and average to 1 from afar.
// Use:    vec3 albedo = of_materials(position_m, texture_coordinate, normal);  normal then has relief and grain
// Units:  lengths in metres of the ground, whatever the size of the land
// Source: dominant plane by thresholds of noise instead of three fetches, after Golus, "Normal mapping for a triplanar
//         shader" (2017); heights decide at borders as in Mishkinis, "Advanced terrain texture splatting" (2013);
//         normals of a relief whichever way it lies: Mikkelsen, "Surface gradient-based bump mapping" (2020).

#include "lib/sky.glsl"
#include "lib/layers.glsl"

const int PARTS = 6; // base, upper, steep, high, low, deposit
const float BROAD_M = 2900.0; // a side of the patches
const float RISES_DEG = 27.0; // from where on relief stands upright, as on walls, and no longer lies as on plains
const float WALL_DEG = 40.0; // steeper than anything loose
const float FAINT = 0.35; // of the relief of slopes, where it begins
const float FULL_DEG = 6.0; // later it is there in full
const float SECTORS = 6.0; // upright planes in half a turn: the nearest is within 15 degrees of across the slope
const float APART_M = 137.0; // how far the relief of the next plane is moved along
const float LEANS_DEG = 26.0; // how far a relief's own slope of 1 up the wall counts as steeper ground
const vec2 LEANS_MOST_DEG = vec2(-20.0, 11.0); // how far a relief counts as gentler, and as steeper, at most
const float UPRIGHT = 1.5; // heights in a wall's relief: on slopes of 42 degrees it is not stretched, on walls it is low
const float WANDER_M = 4.0; // how far slow waves move reliefs aside, so that no row of repeats or ripples is straight
const vec2 WANDERS = 6.2831853 / vec2(173.0, 139.0); // along the other axis; a texture's eight bits would be steps here
const vec2 SMALL_SEEN_PX = vec2(16.0, 60.0); // a side of the smaller relief from which it shows, and shows in full
const vec2 UNSEEN_M = vec2(0.5, 8.0); // metres a pixel from which reliefs begin to average out, and are gone: borders
                                      // which they decide soften by as much, so that no more and no less is covered
const float CLOSER = 5.3; // a texture within the texture, where its texels would be seen
const vec2 CLOSER_SEEN_M = vec2(0.008, 0.002); // metres a pixel from which it shows, and shows in full
const float ALONE = 0.15; // the weight of a second material up to which the first one covers it, whatever their heights
const float PATCHES_SHARPER = -1.0; // levels: their finest are four texels wide, so that they do not glitter yet
const float FINE = 0.85; // of a pixel: reliefs are drawn a little finer than is soft; any finer and their light glitters
const float SHARP = 0.8; // of that, materials
const float LEAST_ROUND = 0.7; // without anisotropy: how far a slanting pixel is taken for a round one of the same area
const float NOISE_DEVIATION = 42.0 / 255.0; // of the patches
const float STEEPEST = 2.0; // of the slopes of the grain
const float RAGGED_DEG = 7.0; // how far noise moves a border, in degrees of slope a deviation
const float BEND_M = 25.0; // the radius of curvature that counts in full

uniform sampler2D u_shape; // m of change by erosion, log10 m2 of drainage, curvature in 1/m, slope in degrees
uniform sampler2D u_patches;
uniform sampler2DArray u_materials; // display colours and the heights in them; then the slopes of each
uniform float u_slopes_from; // the layer
uniform vec3 u_colours[PARTS]; // display colours, between which a part changes
uniform vec3 u_others[PARTS];
uniform vec3 u_evens[PARTS]; // one over the mean of the texture
uniform vec4 u_parts[PARTS]; // layer, 1/m of the texture, how rough over metres, how much of beds shows
uniform sampler2DArray u_reliefs; // slopes along and up, height and hollow in deviations
uniform vec4 u_lying[3]; // of the reliefs of plains, slopes and walls: layer, 1/m of it and of its smaller copy, and the
                          // slope that ends it
uniform vec3 u_standing[PARTS]; // how strong the relief of plains and that of walls are in a part, and their shade
uniform vec2 u_ripples_wind; // whither it blows, along x and z
uniform float u_round; // 1 where textures have no anisotropy
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

vec4 of_texture(int part, float from, vec2 place_m, vec2 across_m, vec2 up_m) {
    float repeats = u_parts[part].y;
    return textureGrad(u_materials, vec3(place_m * repeats, u_parts[part].x + from), repeats * across_m, repeats * up_m);
}

vec4 of_relief(float repeats, float layer, vec2 place_m, vec2 across_m, vec2 up_m) {
    return textureGrad(u_reliefs, vec3(repeats * place_m, layer), repeats * across_m, repeats * up_m);
}

void lay(int part, float share) {
    for (int i = 0; i < PARTS; i++) {
        weights[i] *= 1.0 - share;
    }
    weights[part] += share;
}

void lay_parts(float height_m, vec4 shape, vec3 normal, vec2 noise, float stands, float leans_deg, float lost) {
    float ragged = dot(noise, vec2(0.6, 0.5));
    float bend = clamp(BEND_M * shape.b, -1.0, 1.0); // above 0 on ridges
    // soil leaves ridges and gathers in hollows, the small ones of a wall as well
    float slope = shape.a + clamp(RAGGED_DEG * ragged + leans_deg + 4.0 * bend, LEANS_MOST_DEG.x, LEANS_MOST_DEG.y);
    float soft = 1.0 + 0.8 * lost;
    for (int i = 0; i < PARTS; i++) {
        weights[i] = 0.0;
    }
    weights[0] = 1.0;
    lay(1, smoothstep(ground_grass_slope - 4.0 * soft, ground_grass_slope + 4.0 * soft, slope));
    float left = shape.r / u_change_m * (1.0 + 0.5 * ragged - 0.4 * stands) - 0.25;
    float loose = smoothstep(0.0, 0.3, left) * (1.0 - smoothstep(37.0, 44.0, shape.a)); // it rests at up to 38 degrees
    lay(5, loose);
    lay(2, (1.0 - 0.85 * loose) * smoothstep(ground_rock_slope - 3.0 * soft, ground_rock_slope + 3.0 * soft, slope));
    float over_sand = (height_m - ground_sand_height) / 4.0 + 0.6 * ragged;
    lay(4, (1.0 - smoothstep(-1.0, 1.0, over_sand)) * (1.0 - smoothstep(14.0, 24.0, slope)));
    // hollows and the side away from the noon sun (+z is north) keep snow longer, and no wall above 50 degrees does
    float over_line = (height_m - ground_snow_line) / ground_snow_softness
        + 0.45 * noise.x + 0.2 * noise.y - 0.35 * stands - 0.6 * bend + 0.9 * normal.z;
    lay(3, smoothstep(-0.25 * soft, 0.25 * soft, over_line)
        * (1.0 - smoothstep(46.0 - 4.0 * soft, 46.0 + 4.0 * soft, slope)));
}

vec3 of_materials(vec3 position_m, vec2 coordinate, inout vec3 normal) {
    vec4 shape = texture(u_shape, coordinate);
    vec4 broad = texture(u_patches, position_m.xz / BROAD_M, PATCHES_SHARPER);
    vec2 broad_noise = (broad.rg - 0.5) / NOISE_DEVIATION;

    vec3 across = FINE * dFdx(position_m), up = FINE * dFdy(position_m);
    float longest = max(max(dot(across, across), dot(up, up)), 1e-12);
    float round = mix(1.0, clamp(sqrt(length(cross(across, up)) / longest), LEAST_ROUND, 1.0), u_round);
    across *= round;
    up *= round;
    float pixel_m = length(fwidth(position_m));

    // the plane that the grain lies in: the ground's, or for steep ground one of two upright ones
    vec3 facing = abs(normal) * vec3(1.0, 1.3, 1.0) + 0.05 * vec3(broad_noise.x, 0.0, broad_noise.y);
    bool east = facing.x > facing.z, level = facing.y > max(facing.x, facing.z);

    // the relief, of two sizes: walls have it in an upright plane across their slope, so that gullies run down them
    float steep = shape.a + 3.0 * broad_noise.y;
    bool rises = steep > RISES_DEG;
    vec4 lying = rises ? (shape.a + 1.5 * broad_noise.y > WALL_DEG ? u_lying[2] : u_lying[1]) : u_lying[0];
    float sector = floor(SECTORS / 3.14159265 * atan(normal.z, normal.x + 1e-9) + 0.25 * broad_noise.x);
    float turn = (sector + 0.5) * (3.14159265 / SECTORS);
    vec2 along = vec2(-sin(turn), cos(turn));
    mat3x2 onto = rises ? mat3x2(along.x, 0.0, 0.0, UPRIGHT, along.y, 0.0)
                        : mat3x2(u_ripples_wind.x, -u_ripples_wind.y, 0.0, 0.0, u_ripples_wind.y, u_ripples_wind.x);
    vec2 lies_m = onto * position_m, lies_across_m = onto * across, lies_up_m = onto * up;
    lies_m += WANDER_M * sin(WANDERS * lies_m.yx);
    lies_m.x += rises ? APART_M * sector : 0.0;
    vec4 large = of_relief(lying.y, lying.x, lies_m, lies_across_m, lies_up_m);
    vec4 small = of_relief(lying.z, lying.x, lies_m, lies_across_m, lies_up_m);
    small *= smoothstep(SMALL_SEEN_PX.x, SMALL_SEEN_PX.y, 1.0 / (lying.z * pixel_m));
    float strength = ground_relief * max(0.85 + 0.25 * broad_noise.y, 0.2); // here slabs or ash, there blocks
    strength *= rises ? mix(FAINT, 1.0, smoothstep(RISES_DEG, RISES_DEG + FULL_DEG, steep))
                      : 1.0 - smoothstep(lying.w - 8.0, lying.w, shape.a);
    vec2 relief_slopes = strength * (1.1 * large.rg + 0.8 * small.rg);
    vec4 stands = strength * vec4(large.ba, small.ba);

    float height_m = position_m.y;
    float lost = smoothstep(UNSEEN_M.x, UNSEEN_M.y, pixel_m);
    float stood = 0.8 * stands.x + 0.45 * stands.z;
    float leans = rises ? strength * (large.g + 0.5 * small.g) : 0.0;
    lay_parts(height_m, shape, normal, broad_noise, stood, 0.8 * RAGGED_DEG * stood + LEANS_DEG * leans, lost);

    vec3 colour = vec3(0.0);
    vec2 wanted = vec2(0.0); // roughness, bedded
    vec2 shown = vec2(0.0); // of the relief: its slopes, its shade
    float first_weight = -1.0, second_weight = -1.0;
    int first = 0, second = 0;
    vec3 others = vec3(0.0);
    for (int i = 0; i < PARTS; i++) {
        float weight = weights[i];
        colour += weight * u_colours[i];
        others += weight * u_others[i];
        wanted += weight * u_parts[i].zw;
        shown += weight * vec2(rises ? u_standing[i].y : u_standing[i].x, u_standing[i].z);
        bool most = weight > first_weight, more = weight > second_weight;
        second = most ? first : more ? i : second;
        second_weight = most ? first_weight : more ? weight : second_weight;
        first = most ? i : first;
        first_weight = most ? weight : first_weight;
    }
    float hue = 0.5 + ground_variation * (0.28 * broad_noise.y + shown.y * (1.6 * stands.x + stands.w));
    colour = mix(colour, others, clamp(hue, 0.0, 1.0));
    vec2 place_m = level ? position_m.xz : east ? position_m.zy : position_m.xy;
    vec2 crooked_m = place_m + 0.3 * sin(0.2 * place_m.yx); // no straight row of repeats
    // textures change from pixel to pixel: levels by what a pixel covers, or borders were rows of dots
    vec2 across_m = SHARP * (level ? across.xz : east ? across.zy : across.xy);
    vec2 up_m = SHARP * (level ? up.xz : east ? up.zy : up.xy);
    vec4 one = of_texture(first, 0.0, crooked_m, across_m, up_m);
    float alone = 1.0 - smoothstep(0.5 * ALONE, ALONE, second_weight);
    second = alone > 0.0 ? first : second;
    vec2 second_m = alone > 0.0 ? CLOSER * crooked_m.yx : crooked_m;
    float finer = alone > 0.0 ? CLOSER : 1.0;
    vec4 other = of_texture(second, 0.0, second_m, finer * across_m, finer * up_m);
    vec2 slopes = STEEPEST * (2.0 * of_texture(first, u_slopes_from, crooked_m, across_m, up_m).rg - 1.0);
    slopes *= smoothstep(0.0, 0.25, first_weight - (alone > 0.0 ? 0.0 : second_weight)); // both meet at none
    // of two materials the one that stands higher here wins
    float share = alone > 0.0 ? 1.0 : clamp(0.5 + 2.5 * (first_weight - second_weight + 0.8 * (one.a - other.a)), 0.0, 1.0);
    vec3 grain = mix(other.rgb * u_evens[second], one.rgb * u_evens[first], share);
    float closer = alone * smoothstep(CLOSER_SEEN_M.x, CLOSER_SEEN_M.y, pixel_m);
    grain *= mix(vec3(1.0), other.rgb * u_evens[second], closer);

#ifdef LAYERS
    colour *= mix(vec3(1.0), layer_colour(height_m, coordinate, stands.x), wanted.y);
#else
    float bed = wanted.y * ground_strata * beds(height_m + 0.12 * ground_bed_height * stands.x
        + 0.3 * ground_bed_height * broad_noise.x, fwidth(height_m));
    colour *= mix(vec3(1.0), bed > 0.0 ? u_beds[1] : u_beds[0], abs(bed));
#endif

    float snowless = 1.0 - weights[3];
    float bend = clamp(BEND_M * shape.b, -1.0, 1.0);
    float wet = u_wet * ground_wetness * snowless
        * max(smoothstep(4.0, 6.5, shape.g), 0.5 * smoothstep(0.1, 0.8, -bend));
    // green where plants may live on it
    colour *= mix(vec3(1.0), vec3(0.7, 0.66 + 0.12 * u_wet, 0.62 + 0.06 * u_wet), wet);
    colour *= 1.0 + ground_variation * 0.05 * broad_noise.x + 0.06 * bend;
    colour *= max(1.0 + shown.y * (stands.y + stands.w), 0.2);

    vec2 tilt = 0.4 * slopes, broad_tilt = 0.6 * wanted.x * (broad.ba - 0.5) / NOISE_DEVIATION;
    vec3 gradient = level ? vec3(tilt.x, 0.0, tilt.y) : east ? vec3(0.0, tilt.yx) : vec3(tilt, 0.0);
    gradient += vec3(broad_tilt.x, 0.0, broad_tilt.y) + shown.x * (relief_slopes * onto);
    normal = normalize(normal - gradient + normal * dot(normal, gradient));
    return paint(clamp(colour * grain, 0.0, 1.0));
}
