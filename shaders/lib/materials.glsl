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
#include "lib/hash.glsl"

const int PARTS = 6; // base, upper, steep, high, low, deposit
const float BROAD_M = 2900.0; // a side of the patches
const float CLOSE_M = 167.0; // and of their smaller copy, which goes on where they end: from 56 m down to a metre
const mat2 TURNED = mat2(0.8, 0.6, -0.6, 0.8); // so that no repeat of it lies along another's
const float RISES_DEG = 27.0; // from where on relief stands upright, as on walls, and no longer lies as on plains
const float WALL_DEG = 40.0; // steeper than anything loose
const float FAINT = 0.35; // of the relief of slopes, where it begins
const float FULL_DEG = 6.0; // later it is there in full
const float SECTORS = 6.0; // upright planes in half a turn: the nearest is within 15 degrees of across the slope
const float APART_M = 137.0; // how far the relief of the next plane is moved along
const float LEANS_DEG = 26.0; // how far a relief's own slope of 1 up the wall counts as steeper ground
const vec2 LEANS_MOST_DEG = vec2(-20.0, 11.0); // how far a relief counts as gentler, and as steeper, at most
const vec2 UPRIGHT = vec2(1.8, 1.25); // heights in the relief of slopes, not stretched at 34 degrees, and of walls, at 53
const float WANDER_M = 4.0; // how far slow waves move reliefs aside, so that no row of repeats or ripples is straight
const vec2 WANDERS = 6.2831853 / vec2(173.0, 139.0); // along the other axis; a texture's eight bits would be steps here
const vec2 SMALL_SEEN_PX = vec2(16.0, 60.0); // a side of the smaller relief from which it shows, and shows in full
const vec2 UNSEEN_M = vec2(0.5, 8.0); // metres a pixel from which reliefs begin to average out, and are gone: borders
                                      // which they decide soften by as much, so that no more and no less is covered
const float CLOSER = 5.3; // a texture within the texture, where its texels would be seen
const vec2 CLOSER_SEEN_M = vec2(0.008, 0.002); // metres a pixel from which it shows, and shows in full
const float ALONE = 0.15; // the weight of a second material up to which the first one covers it, whatever their heights
const float PATCHES_SHARPER = -1.0; // levels: their finest are four texels wide, so that they do not glitter yet
const float FINE = 0.85; // of a pixel: reliefs are drawn a little finer than is soft; any finer and one frame glitters
const float SHARP = 0.8; // of what reliefs are drawn for, materials
const float MOST_SHARPER = -3.0; // levels; broad maps are no finer than that
const float ROUND_PIXEL = 1.41421356; // length(fwidth()) of a place, where a pixel covers a square of side 1
const vec2 TOLD_M = vec2(0.15, 1.2); // metres a pixel from which stones and blades of a border can no longer be told
const vec2 STONES_FROM = vec2(2.8, 0.0); // deviations, up to which the fewest stones are buried, and the most
const float DUSTY = 0.75; // how much of a stone shows through the dust of the ground on it
const float MOST_BURIED = 3.1; // more than there is
const float PATCH = 0.61; // of a side of their relief, a patch that shows one part of it
const vec2 STONES_ROLL_DEG = vec2(28.0, 40.0); // from which few lie, and from which none
const float STONE_HIGH = 0.02; // of a side of their relief, a high one
const float GRAIN_STANDS = 0.7; // of the grain's slopes
const float NOISE_DEVIATION = 42.0 / 255.0; // of the patches
const float STEEPEST = 2.0; // of the slopes of the grain
const float RAGGED_DEG = 7.0; // how far noise moves a border, in degrees of slope a deviation
const float BEND_M = 25.0; // the radius of curvature that counts in full
const float WIDE_BEND_M = 150.0; // and for what grows: swells and dips of a meadow
const vec2 STREAM = vec2(5.2, 5.7); // log10 m2 of drainage from which water carries plants away, 16 and 50 hectares
const float BANKS = 4.0; // and around which plants begin to have water at hand, 1 hectare
const vec2 CROPS_OUT = vec2(1.0, 1.4); // of noise with a deviation of 0.75: a tenth of a plain, and more of swells
const vec2 TUFTS_M = vec2(0.12, 0.4); // metres a pixel from which blades and tufts begin to average out, and are gone
const float TUFTS_RAG = 2.6; // how far tufts move a border, in deviations of noise over the height of a blade
const float BUSHES_M = 19.0; // a side of the relief that bushes are of: they are 0.5 to 2 m wide, as its stones are of it
const vec2 BUSHES_FROM = vec2(2.6, 0.1); // deviations of it, up to which the fewest bushes are hidden, and the most
const float BUSHY = 0.5; // of the ground that bushes cover where they stand closest, about what is over BUSHES_FROM.y
const vec2 BUSHES_TOLD_M = vec2(0.6, 2.0); // metres a pixel up to which each is seen, and from which only their colour
const float BUSH_FEET = 0.3; // how much darker the ground is that bushes keep the sky from
const float TUFTED = 0.9; // how much more their lights and shadows differ than those of a mown lawn

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
uniform vec4 u_standing[PARTS]; // how strong the relief of plains and that of walls are in a part, their shade, and how
                               // many stones lie on it
uniform vec2 u_near_m; // metres that a pixel covers from which small things begin to go under in it, and are gone
uniform vec4 u_strewn; // those stones: layer, 1/m of the relief and of its smaller copy, and a deviation in sides of it
uniform vec2 u_ripples_wind; // whither it blows, along x and z
uniform float u_round; // 1 where textures have no anisotropy
uniform vec4 u_footprint; // of a slanting pixel's length, the least that is averaged over; of that, what is needed in one
                          // of many frames; the frame's number, and how far chance moves seams in it
uniform vec3 u_beds[2];
uniform float u_change_m; // what counts as much
uniform float u_wet;
uniform vec3 u_plants[4]; // display colours: of wet hollows, of dry swells, of bushes and of heath
uniform float u_grown[PARTS]; // how much of a part is plants
uniform vec2 u_bared; // how much gravel lies in streams, and how much rock crops out of gentle ground

float weights[PARTS];
float sunny = 1.0; // the share of the sun's light that the ground's own relief and stones let through; told at the end

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
    float soft = mix(0.5, 1.8, lost); // what lies between two materials near the eye is their own patches
    for (int i = 0; i < PARTS; i++) {
        weights[i] = 0.0;
    }
    weights[0] = 1.0;
    lay(1, smoothstep(ground_grass_slope - 4.0 * soft, ground_grass_slope + 4.0 * soft, slope));
    float left = shape.r / u_change_m * (1.0 + 0.5 * ragged - 0.4 * stands) - 0.25;
    float loose = smoothstep(0.0, 0.3, left) * (1.0 - smoothstep(37.0, 44.0, shape.a)); // it rests at up to 38 degrees
    lay(5, loose);
    // streams keep their beds bare; rock looks out where ground swells, in spots
    float stream = u_bared.x * smoothstep(STREAM.x, STREAM.y, shape.g + 0.3 * ragged + 0.2 * stands);
    lay(5, stream * (1.0 - smoothstep(22.0, 34.0, shape.a)));
    float swells = 0.45 * clamp(WIDE_BEND_M * shape.b, -1.0, 1.0) + 0.012 * min(shape.a - 10.0, 16.0);
    float crops = swells + 0.55 * noise.y - 0.3 * noise.x + 0.45 * stands;
    float gentle = 1.0 - smoothstep(24.0, 34.0, shape.a); // steeper ground is bared by its slope
    lay(2, u_bared.y * gentle * (1.0 - loose) * smoothstep(CROPS_OUT.x - 0.2 * lost, CROPS_OUT.y + 0.2 * lost, crops));
    lay(2, (1.0 - 0.85 * loose) * smoothstep(ground_rock_slope - 3.0 * soft, ground_rock_slope + 3.0 * soft, slope));
    float over_sand = (height_m - ground_sand_height) / 4.0 + 0.6 * ragged;
    lay(4, (1.0 - smoothstep(-1.0, 1.0, over_sand)) * (1.0 - smoothstep(14.0, 24.0, slope)));
    // hollows and the side away from the noon sun (+z is north) keep snow longer, and no wall above 50 degrees does
    float over_line = (height_m - ground_snow_line) / ground_snow_softness
        + 0.45 * noise.x + 0.2 * noise.y - 0.4 * stands - 0.6 * bend + 0.9 * normal.z;
    lay(3, smoothstep(-0.25 * soft, 0.25 * soft, over_line)
        * (1.0 - smoothstep(46.0 - 4.0 * soft, 46.0 + 4.0 * soft, slope)));
}

// Two numbers from 0 to 1 for a cell of a lattice.
vec2 some_of(vec2 cell) {
    uint h = hash_chain(hash_chain(GOLDEN, int(cell.x)), int(cell.y));
    return vec2(h & 0xffffu, h >> 16) / 65536.0;
}

// -0.5 to 0.5, another one in the next frame and at the next pixel, so that a mean of frames blends across a seam.
// Source: Jimenez, "Next generation post processing in Call of Duty: Advanced Warfare" (2014), interleaved gradient noise.
float chance() {
    vec2 pixel = gl_FragCoord.xy + 5.588238 * u_footprint.z;
    return fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715)))) - 0.5;
}

// The colour of what grows at a place: of each kind in patches with ragged borders, where it has the water it wants.
// And how close bushes stand on it, 0 to 1.
vec4 of_plants(vec3 colour, vec4 shape, vec4 broad, vec4 close, vec2 stood, float tuft) {
    float bend = clamp(WIDE_BEND_M * shape.b, -1.0, 1.0), many = min(ground_variation, 1.2);
    float near = 0.3 * stood.x + 0.2 * stood.y + TUFTS_RAG * tuft;
    float wet = 0.5 * (max(shape.g, BANKS - 1.0) - BANKS) - 0.5 * bend + 0.3 * broad.x + 0.3 * close.x - near;
    colour = mix(colour, u_plants[0], 0.8 * many * smoothstep(0.1, 0.9, wet));
    float dry = 0.6 * bend + 0.03 * (shape.a - 8.0) - 0.5 * broad.x + 0.3 * close.y + near;
    colour = mix(colour, u_plants[1], 0.65 * many * smoothstep(0.1, 1.1, dry));
    float heath = 0.7 * broad.y + 0.35 * close.x + 0.4 * broad.x + near - 0.25 * max(wet, 0.0);
    colour = mix(colour, u_plants[3], 0.8 * many * smoothstep(0.45, 1.05, heath));
    float bushes = 0.65 * close.y - 0.5 * broad.y + 0.35 * broad.x + 1.3 * near - 0.02 * max(shape.a - 20.0, 0.0);
    return vec4(colour, min(many, 1.0) * smoothstep(0.1, 1.5, bushes));
}

vec3 of_materials(vec3 position_m, vec2 coordinate, inout vec3 normal) {
    // what a pixel covers: where it slants, less than its length, since the frames of a mean lie side by side in it
    vec3 across = dFdx(position_m), up = dFdy(position_m);
    float longest = sqrt(max(max(dot(across, across), dot(up, up)), 1e-12));
    float covered_m = u_footprint.y * max(length(cross(across, up)) / longest, u_footprint.x * longest);
    float kept = u_round > 0.5 ? covered_m / longest : u_footprint.y;
    float pixel_m = ROUND_PIXEL * covered_m;
    float sharper = max(log2(kept), MOST_SHARPER);
    across *= FINE * kept;
    up *= FINE * kept;

    vec4 shape = texture(u_shape, coordinate, 0.5 * sharper);
    vec4 broad = (texture(u_patches, position_m.xz / BROAD_M, PATCHES_SHARPER + 0.5 * sharper) - 0.5) / NOISE_DEVIATION;
    vec4 close = (texture(u_patches, TURNED * position_m.xz / CLOSE_M, sharper) - 0.5) / NOISE_DEVIATION;
    vec2 broad_noise = broad.rg;
    float seam = u_footprint.w * chance();

    // the plane that the grain lies in: the ground's, or for steep ground one of two upright ones
    vec3 facing = abs(normal) * vec3(1.0, 1.3, 1.0) + 0.05 * vec3(close.x + 4.0 * seam, 0.0, close.y);
    bool east = facing.x > facing.z, level = facing.y > max(facing.x, facing.z);

    // the relief, of two sizes: walls have it in an upright plane across their slope, so that gullies run down them
    float steep = shape.a + 3.0 * broad_noise.y + 1.2 * close.x + 2.5 * seam;
    bool rises = steep > RISES_DEG;
    bool wall = steep - 1.5 * broad_noise.y > WALL_DEG;
    vec4 lying = rises ? (wall ? u_lying[2] : u_lying[1]) : u_lying[0];
    float sector = floor(SECTORS / 3.14159265 * atan(normal.z, normal.x + 1e-9) + 0.25 * broad_noise.x + 0.06 * close.x + 0.12 * seam);
    float turn = (sector + 0.5) * (3.14159265 / SECTORS);
    vec2 along = vec2(-sin(turn), cos(turn));
    float upright = wall ? UPRIGHT.y : UPRIGHT.x;
    mat3x2 onto = rises ? mat3x2(along.x, 0.0, 0.0, upright, along.y, 0.0)
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
    vec2 noise = broad_noise + 0.45 * close.rg;
    lay_parts(height_m, shape, normal, noise, stood, 0.8 * RAGGED_DEG * stood + LEANS_DEG * leans, lost);

    vec3 colour = vec3(0.0), others = vec3(0.0);
    vec2 wanted = vec2(0.0); // roughness, bedded
    vec2 shown = vec2(0.0); // of the relief: its slopes, its shade
    float all_grown = 0.0;
    float first_weight = -1.0, second_weight = -1.0;
    int first = 0, second = 0;
    for (int i = 0; i < PARTS; i++) {
        float weight = weights[i];
        colour += weight * u_colours[i];
        others += weight * u_others[i];
        wanted += weight * u_parts[i].zw;
        all_grown += weight * u_grown[i];
        shown += weight * vec2(rises ? u_standing[i].y : u_standing[i].x, u_standing[i].z);
        bool most = weight > first_weight, more = weight > second_weight;
        second = most ? first : more ? i : second;
        second_weight = most ? first_weight : more ? weight : second_weight;
        first = most ? i : first;
        first_weight = most ? weight : first_weight;
    }
    vec2 place_m = level ? position_m.xz : east ? position_m.zy : position_m.xy;
    vec2 crooked_m = place_m + 0.3 * sin(0.2 * place_m.yx); // no straight row of repeats
    // textures change from pixel to pixel: levels by what a pixel covers, or borders were rows of dots
    vec2 across_m = SHARP * (level ? across.xz : east ? across.zy : across.xy);
    vec2 up_m = SHARP * (level ? up.xz : east ? up.zy : up.xy);
    vec4 one = of_texture(first, 0.0, crooked_m, across_m, up_m);
    float alone = 1.0 - smoothstep(0.5 * ALONE, ALONE, second_weight);
    second = alone > 0.0 ? first : second;
    vec2 second_m = alone > 0.0 ? CLOSER * crooked_m.yx : crooked_m;
    float closer = alone > 0.0 ? CLOSER : 1.0;
    vec4 other = of_texture(second, 0.0, second_m, closer * across_m, closer * up_m);
    vec2 slopes = STEEPEST * (2.0 * of_texture(first, u_slopes_from, crooked_m, across_m, up_m).rg - 1.0);
    slopes *= smoothstep(0.0, 0.25, first_weight - (alone > 0.0 ? 0.0 : second_weight)); // both meet at none

    // of two materials the one that stands higher here wins; from afar all that is left is how much each covers
    float between = first_weight - second_weight;
    float told = 1.0 - smoothstep(TOLD_M.x, TOLD_M.y, pixel_m);
    float share = alone > 0.0 ? 1.0 : clamp(0.5 + 3.0 * (between + 0.9 * (one.a - other.a)), 0.0, 1.0);
    colour = mix(colour, mix(u_colours[second], u_colours[first], share), told);
    others = mix(others, mix(u_others[second], u_others[first], share), told);
    wanted = mix(wanted, mix(u_parts[second].zw, u_parts[first].zw, share), told);
    vec4 standing = mix(u_standing[second], u_standing[first], share);
    shown = mix(shown, vec2(rises ? standing.y : standing.x, standing.z), told);
    float hue = 0.5 + ground_variation * (0.36 * broad_noise.y + 0.22 * close.y + shown.y * (1.6 * stands.x + stands.w));
    colour = mix(colour, others, clamp(hue, 0.0, 1.0));
    float grown = mix(all_grown, mix(u_grown[second], u_grown[first], share), told);
    vec4 plants = of_plants(colour, shape, broad, close, stands.xz, told * (one.a - 0.5));
    colour = mix(colour, plants.rgb, grown);
    float bushy = grown * plants.a, single = 1.0 - smoothstep(BUSHES_TOLD_M.x, BUSHES_TOLD_M.y, pixel_m);
    float bush = 0.0;
    vec2 bush_slopes = vec2(0.0);
    if (bushy * single > 0.0) {
        vec4 one_bush = of_relief(1.0 / BUSHES_M, u_strewn.x, TURNED * crooked_m, TURNED * across_m, TURNED * up_m);
        float hidden = mix(BUSHES_FROM.x, BUSHES_FROM.y, bushy);
        bush = single * smoothstep(hidden, hidden + 0.25, one_bush.b);
        bush_slopes = 1.2 * one_bush.rg * TURNED;
        colour *= 1.0 - BUSH_FEET * single * smoothstep(hidden - 0.9, hidden, one_bush.b);
    }
    colour = mix(colour, u_plants[2], mix(BUSHY * bushy, bush, single));
    vec3 grain = mix(other.rgb * u_evens[second], one.rgb * u_evens[first], share);
    float closely = alone * smoothstep(CLOSER_SEEN_M.x, CLOSER_SEEN_M.y, pixel_m);
    grain *= mix(vec3(1.0), other.rgb * u_evens[second], closely);
    grain = max(grain + TUFTED * grown * (1.0 - smoothstep(TUFTS_M.x, TUFTS_M.y, pixel_m)) * (grain - 1.0), 0.3);

    slopes = mix(slopes, slopes + bush_slopes, bush);
    float stone = 0.0;
    sunny = 1.0;
#ifdef NEAR
    // stones that lie on it, and their shadows
    vec3 sun_along = light_sun_dir.xyz - normal * dot(light_sun_dir.xyz, normal);
    float sun_rises = max(dot(light_sun_dir.xyz, normal), 0.05) / max(length(sun_along), 1e-3);
    float seen = 1.0 - smoothstep(u_near_m.x, u_near_m.y, longest);
    float many = seen * standing.w * clamp(0.4 + 0.4 * close.y + 0.3 * broad_noise.x - 0.2 * stood, 0.0, 1.0)
        * (1.0 - smoothstep(STONES_ROLL_DEG.x, STONES_ROLL_DEG.y, shape.a));
    float from = mix(STONES_FROM.x, STONES_FROM.y, many);
    vec2 at_m = TURNED * crooked_m, at_across_m = TURNED * across_m, at_up_m = TURNED * up_m;
    vec2 toward = TURNED * normalize((level ? sun_along.xz : east ? sun_along.zy : sun_along.xy) + 1e-5);
    for (int i = 0; i < 2; i++) {
        float repeats = i == 0 ? u_strewn.y : u_strewn.z;
        // every patch of ground has its own part of the relief, so that none repeats; no stone is cut at their borders
        vec2 patch_at = (at_m + 0.2 / repeats * sin(2.3 * repeats * at_m.yx)) * repeats / PATCH;
        vec2 patch_edge = 0.5 - abs(fract(patch_at) - 0.5);
        vec2 lies_at = at_m + some_of(floor(patch_at)) / repeats;
        float buried = mix(MOST_BURIED, from, smoothstep(0.0, 0.16, min(patch_edge.x, patch_edge.y)));
        vec4 there = of_relief(repeats, u_strewn.x, lies_at, at_across_m, at_up_m);
        float away = clamp(STONE_HIGH / sun_rises, 0.01, 0.05); // sides
        float sunward = of_relief(repeats, u_strewn.x, lies_at + away / repeats * toward, at_across_m, at_up_m).b;
        float over = u_strewn.w * (max(sunward, buried) - max(there.b, buried)) - away * sun_rises;
        sunny *= 1.0 - seen * smoothstep(0.0, 0.5 * STONE_HIGH, over);
        float one_there = many > 0.0 ? smoothstep(buried, buried + 0.3, there.b) : 0.0;
        slopes = mix(slopes, 1.3 * there.rg * TURNED, one_there);
        stone = max(stone, one_there);
    }
#endif

#ifdef LAYERS
    colour *= mix(vec3(1.0), layer_colour(height_m, coordinate, stands.x), wanted.y);
#else
    float bed = wanted.y * ground_strata * beds(height_m + 0.12 * ground_bed_height * stands.x
        + 0.3 * ground_bed_height * broad_noise.x, fwidth(height_m));
    colour *= mix(vec3(1.0), bed > 0.0 ? u_beds[1] : u_beds[0], abs(bed));
#endif
    colour = mix(colour, mix(u_colours[2], u_others[2], clamp(0.5 + 0.5 * close.x, 0.0, 1.0)), DUSTY * stone);
    grain = mix(grain, vec3(dot(grain, vec3(1.0 / 3.0))), stone);

    float snowless = 1.0 - weights[3];
    float bend = clamp(BEND_M * shape.b, -1.0, 1.0);
    float wet = u_wet * ground_wetness * snowless
        * max(smoothstep(4.0, 6.5, shape.g), 0.5 * smoothstep(0.1, 0.8, -bend));
    // green where plants may live on it
    colour *= mix(vec3(1.0), vec3(0.7, 0.66 + 0.12 * u_wet, 0.62 + 0.06 * u_wet), wet);
    colour *= 1.0 + ground_variation * (0.07 * broad_noise.x + 0.05 * close.x) + 0.06 * bend;
    colour *= max(1.0 + shown.y * (stands.y + 1.6 * stands.w), 0.2);

    vec2 tilt = GRAIN_STANDS * slopes, broad_tilt = wanted.x * (0.6 * broad.ba + 0.5 * close.ba * TURNED);
    vec3 gradient = level ? vec3(tilt.x, 0.0, tilt.y) : east ? vec3(0.0, tilt.yx) : vec3(tilt, 0.0);
    gradient += vec3(broad_tilt.x, 0.0, broad_tilt.y) + shown.x * (relief_slopes * onto);
    normal = normalize(normal - gradient + normal * dot(normal, gradient));
    return paint(clamp(colour * grain, 0.0, 1.0));
}
