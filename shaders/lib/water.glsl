// What:   the light of sea, lakes and rivers: what is left of the ground's, the water's own, the sky's and the land's
//         reflection, the sun's glitter, foam; and how ground looks that waves wet.
// Use:    Standing water = standing_water(position_world);  albedo = wetted(albedo, ground_m, water);
//         light = with_water(light, position_world, water, normal, seen);  // moves the position to the surface
// Note:   along c the light of colour c falls to a third in `water_clarity` where the water's own colour is the
//         brightest, and sooner in the others: exp(-k_c way), k_c = ln(colour_c) / ln(brightest) / clarity (Beer and
//         Lambert). The way is down from the surface and up again, bent by the refractive index.
// Source: Bruneton, Neyret, Holzschuch, "Real-time realistic ocean lighting" (2010),
//         doi:10.1111/j.1467-8659.2009.01618.x: Fresnel's reflection by a rough surface; Cox and Munk (see waves.glsl):
//         glitter is as bright as there are slopes that mirror the sun.
//         What is uneven about shores, foam and beds is noise of the waves' tile laid at sizes in metres whose ratios
//         are no simple fractions, so that no two repeat together; sizes and weights are by eye.
// Twin:   app/fellview/draw/water/water.py, and app/fellview/draw/water/waves.py, which makes the tile

#include "lib/waves.glsl"
#include "lib/light_here.glsl"
#include "lib/clouded_sky.glsl"
#include "lib/where.glsl"
#include "lib/cut_water.glsl"

const float PI = 3.14159265;
const float REFRACTION = 1.333;
const float HEAD_ON = 0.02; // reflected where one looks straight down: ((n - 1) / (n + 1))^2
const float SUN_WAY = 1.1; // light from everywhere goes so much farther down than straight; the same in Jerlov (1976)
const float FOAM_ALBEDO = 0.75;
const float LEAST_CAPS = 1e-3; // of the sea, from which on they are drawn: a wind of 5 m/s
const float WET_ALBEDO = 0.5; // of dry sand's or soil's: Lekner and Dorf (1988), doi:10.1364/AO.27.001278
const vec3 SHOAL_M = vec3(2.5, 0.9, 0.3); // depths at which waves of the three sizes stand in full
const float LAKE_WASH = 0.12; // of the sea's swash
const float RIVER_MURK = 3.0; // times as much of light is lost in rivers: they carry silt, and their beds are stones
const int STREAK_LOOKS = 6; // along a river's course
const float STREAK_STEP_M = 1.7; // two steps are as long as the shorter half of the noise's waves: streaks of 10 m
const float WIDEST_M = 1024.0; // of rivers, as in river_courses.frag
const vec3 BRUSH = vec3(0.52, 0.62, 0.4); // of the ground's display colours: shrubs and reeds in it
const vec3 WEED = vec3(0.3, 0.38, 0.28); // of a bed's albedo: seagrass, algae and coral on it
const float BAR = 0.55; // of half a river's width that its widest banks of gravel take
const float SHORE_RISE_M = 0.9; // over a lake's level up to which its shore is gravel
const float ROCKS_END = 10.0; // swashes: cells of the coarse land so wide tell nothing of surf about rocks
const float BEACH = 0.04; // the least slope that the width of foam and wet ground goes by, or flats would be all foam
const float BED_FALLS = 0.06; // the sea's bed beyond the land, a metre
const float EARTH_M = 7.43e6; // the Earth's radius, 7/6 of it, as air bends light along its curve
const float OUTLINE_PX = 2.0;
const float NOWHERE_M = -1e6;

uniform sampler2D u_ground_m;
uniform sampler2D u_lakes;
uniform sampler2D u_rivers;
uniform float u_water_seconds;
uniform vec4 u_sea_bands; // of waves, as in waves_at()
uniform vec2 u_whitecaps; // the share of the open sea that they cover, and the noise that as much lies over
uniform vec4 u_lake_bands;
uniform vec4 u_river_bands;
uniform float u_water_cell_m;
uniform int u_water_looks; // for land on the reflected way
uniform float u_water_highest_m; // of the land as drawn
uniform sampler2D u_far_land;
uniform float u_river_margin_m; // beyond the bank, as far as the texture knows
uniform vec2 u_river_depths; // factor and power of the width
uniform vec4 u_shore; // display colour of sand and gravel at the shores of fresh water; how much of it there is
uniform float u_water_pixel; // the angle of a pixel in the middle of the picture

struct Standing {
    float level_m;
    float depth_m; // below 0 over dry ground
    float cover; // share of the pixel, at the shore
    bool sea;
    float pixel_m; // about as wide as what a pixel shows of level ground
    float bank_m; // how far within a river's bank; below 0 on land
    float half_m; // half the width of the river
    float flows; // share of the pixel that the river covers
    vec2 along; // the river's course, whichever way it runs, of length 1
};

vec2 water_place(vec2 ground_m) {
    return ground_m * light_map_place.xy + light_map_place.zw;
}

// The ground's height between vertices, smoother than the triangles that it is drawn with, so that shores have no
// corners at the borders of cells: the cubic B-spline. Source: Sigg and Hadwiger, "Fast third-order texture filtering",
// GPU Gems 2 (2005): of four readings between texels.
float smooth_ground(vec2 place) {
    vec2 size = vec2(textureSize(u_ground_m, 0)), at = place * size - 0.5;
    vec2 cell = floor(at), t = at - cell, u = 1.0 - t;
    vec2 w0 = u * u * u / 6.0, w3 = t * t * t / 6.0;
    vec2 w1 = (4.0 - 3.0 * t * t * (2.0 - t)) / 6.0, w2 = 1.0 - w0 - w1 - w3;
    vec2 low = w0 + w1, high = w2 + w3;
    vec2 a = (cell - 0.5 + w1 / low) / size, b = (cell + 1.5 + w3 / high) / size;
    return low.y * (low.x * texture(u_ground_m, a).r + high.x * texture(u_ground_m, vec2(b.x, a.y)).r)
        + high.y * (low.x * texture(u_ground_m, vec2(a.x, b.y)).r + high.x * texture(u_ground_m, b).r);
}

// A height as it is drawn; depths are left as they are, for a land that is drawn higher keeps the colours of its water.
float drawn_m(float height_m) {
    return view_exaggeration * height_m;
}

// The noise of the waves' tile laid `size_m` wide: a half on the mean with a deviation of a sixth, waves of a third of
// its width to a fortieth, and none that pixels of `pixel_m` cannot show.
float tile_noise(vec2 place_m, float size_m, float pixel_m) {
    return textureLod(u_waves, place_m / size_m, max(log2(pixel_m / size_m * float(textureSize(u_waves, 0).x)), 0.0)).a;
}

#ifdef RIVERS
// What the river at a place is like: banks that bend by what is not in the grid, and gravel that lies bare in it.
void find_river(vec2 ground_m, vec2 place, inout Standing water) {
    float pixel_m = water.pixel_m;
    vec2 size = vec2(textureSize(u_rivers, 0));
    vec4 river = textureLod(u_rivers, place, max(log2(pixel_m * light_map_place.x * size.x), 0.0));
    // directions have no mean where they turn over: that of the nearest texel, and they change slowly
    float turn = PI * texelFetch(u_rivers, ivec2(place * size), 0).a;
    water.along = vec2(cos(turn), sin(turn));
    water.half_m = 0.5 * WIDEST_M * river.g * river.g;
    float bank_m = (2.0 * river.r - 1.0) * u_river_margin_m;
    float uneven = tile_noise(ground_m, 61.0, pixel_m) - 0.5, fine = tile_noise(ground_m, 13.0, pixel_m) - 0.5;
    float most_m = min(water.half_m, 0.5 * u_river_margin_m);
    float bar = smoothstep(0.0, 0.3, tile_noise(ground_m.yx, 430.0, pixel_m) - 0.5);
    water.bank_m = bank_m + smoothstep(0.0, 0.3, river.r) * most_m * (0.7 * uneven + 0.15 * fine - BAR * bar);
    // rivers about as wide as a pixel are the share of it that they cover
    float thin = smoothstep(0.4, 1.2, pixel_m / max(water.half_m, 1e-3));
    water.flows = mix(clamp(water.bank_m / pixel_m + 0.5, 0.0, 1.0), smoothstep(0.1, 0.9, river.b), thin)
        * (1.0 - smoothstep(0.0, 0.5, water.depth_m)) * step(1e-3, river.g);
}
#endif

// The highest water that stands at a place; call it where all pixels do, for it looks at their difference.
Standing standing_water(vec3 position) {
    vec2 place = water_place(position.xz);
    float ground = smooth_ground(place);
    float lake = NOWHERE_M, sea = NOWHERE_M;
#ifdef LAKES
    lake = texture(u_lakes, place).r;
#endif
#ifdef SEA
    sea = water_sea_level;
#endif
    float level = max(lake, sea);
    float depth = level - ground;
    float soft = clamp(fwidth(ground), 1e-4, 2.0);
    float cover = clamp(depth / soft + 0.5, 0.0, 1.0);
    // a pixel whose middle lies past the outline of a hill has a position behind that hill, far over the ground there;
    // how far the land drawn may be from the ground, coarse as it is, goes by pixels across the sight
    vec3 sight = position - light_eye.xyz;
    float apart_m = OUTLINE_PX * u_water_pixel * dot(sight, sight) / max(length(sight.xz), 1e-3);
    cover *= 1.0 - smoothstep(apart_m, 2.0 * apart_m, position.y - drawn_m(level));
    float pixel_m = u_water_pixel * sqrt(length(sight) * dot(sight, sight) / max(-sight.y, 1e-3));
    Standing water = Standing(level, depth, cover, sea >= lake, pixel_m, -1e6, 0.0, 0.0, vec2(0.0));
#ifdef RIVERS
    find_river(position.xz, place, water);
#endif
    return water;
}

// Light over pi that falls on a level surface.
vec3 level_light(vec2 seen) {
    return light_here(vec3(1.0), vec3(0.0, 1.0, 0.0), seen);
}

// The place of the land that is the nearest to `ground_m`, and how far away that is.
vec2 on_land(vec2 ground_m, out float out_m) {
    vec2 inside = clamp(ground_m, vec2(0.0), (1.0 - 2.0 * light_map_place.zw) / light_map_place.xy);
    out_m = distance(ground_m, inside);
    return inside;
}

// Shares of sun and sky that are seen from water; beyond the land shadows fade within a twentieth of its width.
vec2 seen_from_water(vec2 ground_m) {
    float out_m;
    vec2 inside = on_land(ground_m, out_m);
    vec2 land = mix(past_land(inside), vec2(1.0), min(20.0 * out_m * light_map_place.x, 1.0));
    return land * vec2(past_clouds(ground_m), 1.0);
}

vec3 water_extinction() {
    vec3 thickness = -log(clamp(paint(water_colour.rgb), 1e-4, 0.98));
    return thickness / (min(thickness.r, min(thickness.g, thickness.b)) * water_clarity);
}

// What comes up through `depth_m` of water from ground that sends `below`; `up` is the cosine of sight to the vertical.
vec3 through_depth(vec3 below, float depth_m, float up, vec2 seen) {
    float steep = sqrt(1.0 - (1.0 - up * up) / (REFRACTION * REFRACTION));
    vec3 kept = exp(-water_extinction() * depth_m * (SUN_WAY + 1.0 / steep));
    return mix(paint(water_colour.rgb) * level_light(seen), below, kept);
}

// The share that a surface with slopes of the deviation `rough` reflects.
float reflected_share(float facing, float rough) {
    return HEAD_ON + (1.0 - HEAD_ON) * pow(1.0 - facing, 5.0 * exp(-2.69 * rough)) / (1.0 + 22.7 * pow(rough, 1.5));
}

#ifdef MIRRORED
// The light of the land that stands in a reflected way, and how much of the view it takes, 0 to 1. Wide steps look at
// the mean of as wide a piece of land, whose outline is as soft.
vec4 land_in_way(vec3 from, vec3 direction) {
    vec4 met = vec4(0.0);
    float way = 1.2 * u_water_cell_m, hit_m = 0.0;
    float cells = light_map_place.x * float(textureSize(u_far_land, 0).x);
    for (int i = 0; i < u_water_looks; ++i) {
        vec3 at = from + way * direction;
        if (at.y > u_water_highest_m || met.a > 0.99) {
            break;
        }
        vec2 place = water_place(at.xz);
        vec4 land = textureLod(u_far_land, place, log2(0.35 * way * cells));
        float over = clamp((land.a - at.y) / (0.2 * way) + 0.5, 0.0, 1.0) * float(place == clamp(place, 0.0, 1.0));
        float gained = max(over - met.a, 0.0);
        met += gained * vec4(land.rgb, 1.0);
        hit_m += gained * way;
        way *= 1.65;
    }
    met.rgb /= max(met.a, 1e-4);
    met.a *= exp(-air_mie.g * hit_m / max(met.a, 1e-4)); // air before it shows the sky there instead
    return met;
}
#endif

// How much foam of waves that break in the wind covers a place: crests across it, over a threshold of noise.
float whitecaps(vec2 place_m, float pixel_m, float gust) {
    vec2 across = vec2(2.2 * dot(u_wind, place_m), u_wind.x * place_m.y - u_wind.y * place_m.x);
    across.x -= 2.2 * 5.0 * u_water_seconds;
    // weights whose squares add up to one keep its deviation, and so the share
    float noise = 0.5 + 0.75 * (tile_noise(across, 97.0, pixel_m) - 0.5)
        + 0.57 * (tile_noise(across, 14.3, pixel_m) - 0.5) + 0.34 * (tile_noise(place_m, 2.9, pixel_m) - 0.5);
    float caps = 0.8 * smoothstep(0.0, 0.09, noise - u_whitecaps.y + 0.05 * (gust - 1.0));
    // noise that pixels average has no peaks left; the mean is
    return mix(caps, u_whitecaps.x * min(gust, 1.5), smoothstep(0.7, 4.0, pixel_m));
}

// The light of a surface of water at `at` with ground that sends `below` under `depth_m` of it; `bands` are its waves,
// which break where it is the `sea`.
vec3 water_light(vec3 below, vec3 at, float depth_m, vec2 seen, vec4 bands, bool sea) {
    vec3 to_eye = light_eye.xyz - at;
    float way = length(to_eye);
    vec3 view = to_eye / way;
    float up = max(view.y, 1e-3);
    vec3 shoaled = smoothstep(vec3(0.0), SHOAL_M, vec3(depth_m)); // no waves where there is no depth for them
    Waves waves = waves_at(at.xz, way * u_water_pixel * vec2(1.0, 1.0 / up), bands, shoaled);
    vec3 normal = normalize(vec3(-waves.slope.x, 1.0, -waves.slope.y));
    float facing = clamp(dot(normal, view), 0.02, 1.0);
    float rough = sqrt(waves.rough);

    vec3 up_light = through_depth(below, depth_m, up, seen);
    vec3 mirrored = reflect(-view, normal);
    // what is blurred by slopes comes from higher up on the mean, as those are seen best that lean to the eye
    mirrored.y = sqrt(mirrored.y * mirrored.y + waves.rough);
    mirrored = normalize(mirrored);
    vec3 over = clouded_sky(at, mirrored, rough);
#ifdef MIRRORED
    vec4 met = land_in_way(at, mirrored);
    over = mix(over, met.rgb, met.a);
#endif
    vec3 light = mix(up_light, over, reflected_share(facing, rough));
    WHERE(sea && u_whitecaps.x > LEAST_CAPS) {
        float foam = whitecaps(at.xz, way * u_water_pixel * inversesqrt(up), waves.gust) * shoaled.x;
        light = mix(light, FOAM_ALBEDO * level_light(seen), foam);
    }

    vec3 halfway = normalize(view + light_sun_dir.xyz);
    float lean = max(dot(halfway, normal), 1e-3), lean2 = lean * lean;
    float spread = 2.0 * (0.5 * waves.rough) + light_sun_dir.w * light_sun_dir.w; // variance of both axes, and the disc
    float mirrors = exp(-(1.0 - lean2) / (lean2 * spread)) / (3.14159265 * spread * lean2 * lean2);
    float mirrored_sun = HEAD_ON + (1.0 - HEAD_ON) * pow(1.0 - clamp(dot(halfway, view), 0.0, 1.0), 5.0);
    float glitter = min(3.14159265 * mirrored_sun * mirrors / (4.0 * max(facing, 0.1)), 40.0);
    return light + seen.x * step(0.0, light_sun_dir.y) * glitter * light_sun.rgb;
}

// How much of a place foam covers where the share `dense` of it is foam on the mean: patches with holes, and lace.
float foam_at(vec2 place_m, float dense, float pixel_m) {
    vec2 moved = place_m + 0.4 * sin(vec2(0.5, 0.37) * u_water_seconds);
    float broad = tile_noise(moved, 31.0, pixel_m) - 0.5;
    float fine = tile_noise(moved.yx + 2.0 * broad, 6.7, pixel_m) - 0.5;
    float edge = mix(0.09, 0.5, smoothstep(0.3, 1.5, pixel_m)); // from afar the mean of patches is a veil
    float patchy = smoothstep(0.5 - edge, 0.5 + edge, dense + 1.1 * broad + 1.2 * fine);
    float lace = 1.0 - smoothstep(0.0, 0.1, abs(fine + 0.4 * broad)); // borders of bubbles
    float between = 0.35 * lace * smoothstep(0.05, 0.4, dense);
    return mix(between, clamp(0.3 + 0.55 * dense + 0.35 * lace, 0.0, 0.92), patchy);
}

// How far up from the shore a place lies for the waves, in metres: on flats more than it is.
float over_shore(float height_m, vec3 normal) {
    float slope = sqrt(max(1.0 - normal.y * normal.y, 0.0)) / max(normal.y, 1e-3);
    return height_m * max(1.0, BEACH / max(slope, 1e-4));
}

// The albedo of ground at a shore: dark where waves reach, and gravel beside fresh water.
vec3 wetted(vec3 albedo, vec2 ground_m, Standing water, vec3 normal) {
    float wash = water_swash * (water.sea ? 1.0 : LAKE_WASH);
    float over = over_shore(-water.depth_m, normal);
#ifdef SEA
    // reefs and weed on the sea's bed, in patches between bare sand, as deep as there is light for them
    WHERE(u_shore.a > 0.0 && water.sea && water.depth_m > 0.8 && water.depth_m < 2.0 * water_clarity) {
        float patches = 0.6 * tile_noise(ground_m, 1900.0, water.pixel_m)
            + 0.4 * tile_noise(ground_m.yx, 270.0, water.pixel_m)
            + 0.2 * (tile_noise(ground_m, 23.0, water.pixel_m) - 0.5);
        // of what lies twice as deep as water is clear, a hundredth of the light comes up
        float lit = smoothstep(0.8, 3.0, water.depth_m) * smoothstep(2.0, 1.0, water.depth_m / water_clarity);
        albedo *= mix(vec3(1.0), WEED, smoothstep(0.525, 0.6, patches) * lit);
    }
#endif
    bool fresh = false;
#ifdef LAKES
    fresh = !water.sea && over < 3.0 * SHORE_RISE_M;
#endif
#ifdef RIVERS
    fresh = fresh || water.half_m > 0.0;
#endif
    if (water.sea && over < -0.5 * wash) {
        albedo *= WET_ALBEDO;
    }
    WHERE(fresh || (water.sea && over < 1.4 * wash && over >= -0.5 * wash)) {
        float uneven = tile_noise(ground_m, 23.0, water.pixel_m) - 0.5;
#if defined(LAKES) || defined(RIVERS)
        float stones = tile_noise(ground_m, 3.1, water.pixel_m) - 0.5;
        vec3 gravel = paint(u_shore.rgb) * (1.0 + 0.9 * stones + 0.6 * uneven);
        float bare = 0.0, damp = 0.0;
#ifdef LAKES
        // here wide, there none
        float far = tile_noise(ground_m.yx, 260.0, water.pixel_m) - 0.45;
        float rise = over + SHORE_RISE_M * (0.9 * uneven + 3.0 * far);
        bare = water.sea ? 0.0 : 1.0 - smoothstep(0.5 * SHORE_RISE_M, SHORE_RISE_M, rise);
        damp = water.sea ? 0.0 : 1.0 - smoothstep(0.1 * SHORE_RISE_M, 0.35 * SHORE_RISE_M, rise);
#endif
#ifdef RIVERS
        float plenty = tile_noise(ground_m, 340.0, water.pixel_m) - 0.5; // of gravel, and the less of what grows on it
        float wide = min(0.35 * water.half_m + 1.0, 0.3 * u_river_margin_m) * clamp(1.0 + 3.5 * plenty, 0.25, 1.9);
        float beside = water.bank_m + 1.5 * wide * uneven;
        bare = max(bare, smoothstep(-wide, -0.5 * wide, beside));
        damp = max(damp, smoothstep(-0.8 * wide, -0.3 * wide, beside));
        // what drinks from the river grows beyond its gravel, in patches
        float patchy = tile_noise(ground_m, 97.0, water.pixel_m) + 0.7 * uneven;
        float nearer = water.bank_m + 1.2 * u_river_margin_m * (patchy - 0.45);
        float green = smoothstep(-0.95 * u_river_margin_m, -wide, nearer);
        green *= smoothstep(-0.98, -0.7, water.bank_m / u_river_margin_m) * smoothstep(0.3, 0.5, patchy - 0.7 * plenty);
        green *= u_shore.a * smoothstep(0.7, 0.9, normal.y);
        albedo = mix(albedo, albedo * paint(BRUSH), green * (1.0 - bare));
#endif
        // stones do not stay on walls
        albedo = mix(albedo, gravel, bare * u_shore.a * smoothstep(0.6, 0.85, normal.y));
        albedo *= mix(1.0, WET_ALBEDO, damp);
#endif
#ifdef SEA
        float wet = float(water.sea) * (1.0 - smoothstep(0.5 * wash, wash + 1e-3, over + 1.2 * wash * uneven));
        albedo *= mix(1.0, WET_ALBEDO, wet);
        // what a wave leaves on rock as it falls back, in threads; sand drinks it
        float film = wet * smoothstep(0.55 * wash, 0.0, over + 1.5 * wash * uneven);
        film *= smoothstep(-0.3 * wash, 0.0, over);
        film *= smoothstep(0.2, 0.6, 1.0 - normal.y);
        float threads = smoothstep(0.42, 0.62, tile_noise(ground_m + 0.5 * over, 4.1, water.pixel_m) + 0.25 * film);
        albedo = mix(albedo, vec3(FOAM_ALBEDO), 0.6 * film * threads);
#endif
    }
    return albedo;
}

// How many `steps` it is from a place over the land to where its sides are.
float leaves_land(vec3 position, vec3 steps) {
    vec2 to_side = mix(position.xz, light_land.xy - position.xz, step(0.0, steps.xz));
    vec2 count = to_side / max(abs(steps.xz), vec2(1e-6));
    return max(min(count.x, count.y), 0.0);
}

#ifdef SEA
// A cell of the coarse land, in metres.
float far_cell_m() {
    return 1.0 / (light_map_place.x * float(textureSize(u_far_land, 0).x));
}

// How much foam covers the sea at a place: at its edge, where it breaks on rocks, and in broken lines outside.
float surf(vec2 place_m, float depth_m, vec3 normal, float pixel_m) {
    float swash = max(water_swash, 1e-3);
    float out_m = over_shore(max(depth_m, 0.0), normal) / swash;
    // rocks that stand up out of the water are met in full: the mean of land around stands over it
    float around = textureLod(u_far_land, water_place(place_m), 1.0).a - drawn_m(water_sea_level);
    float rocks = smoothstep(0.0, 0.5, around / (view_exaggeration * 2.0 * far_cell_m()));
    rocks *= 1.0 - smoothstep(0.4 * ROCKS_END, ROCKS_END, far_cell_m() / swash);
    float edge = max(1.0 - out_m, 0.0);
    edge *= 0.9 * edge;
    float broad = tile_noise(place_m, 190.0, pixel_m) - 0.5;
    float line = smoothstep(0.6, 0.0, abs(out_m - 1.9 - 3.0 * broad)); // of breakers, here and there
    line *= smoothstep(-0.05, 0.15, tile_noise(place_m.yx, 270.0, pixel_m) - 0.5);
    float dense = max(max(edge, 0.8 * rocks), 0.6 * line);
    // where the whole band is narrower than a pixel it covers only that share of it
    float slope = max(sqrt(max(1.0 - normal.y * normal.y, 0.0)) / max(normal.y, 1e-3), BEACH);
    float band = clamp(swash / slope / pixel_m + rocks, 0.0, 1.0);
    return foam_at(place_m, dense, pixel_m) * smoothstep(0.0, 0.15, dense) * band;
}
#endif

// The light of the ground at `position` with what water is over it; the position becomes that of the surface seen.
// Standing water and rivers share one surface, which passes from one into the other where they meet: on software OpenGL
// every pixel would pay for two.
vec3 with_water(vec3 light, inout vec3 position, Standing water, vec3 normal, vec2 seen) {
    float depth = max(water.depth_m, 0.0), cover = water.cover;
    vec3 to_eye = light_eye.xyz - position;
    // by the height of what is drawn, which is not the smooth ground's: low over deep water that would move the surface
    // by as many metres as the eye is over it
    float under_m = drawn_m(water.level_m) - position.y;
    float share = water.cover > 0.0 ? clamp(under_m / max(to_eye.y, 1e-3), 0.0, 1.0) : 0.0;
#ifdef CUT
    float side = leaves_land(position, to_eye);
    if (side < share) { // seen through the sea's cut side
        vec3 kept = exp(-water_extinction() * (SUN_WAY * depth + side * length(to_eye)));
        vec3 inside = mix(paint(water_colour.rgb) * level_light(vec2(1.0)), light, kept);
        vec3 cut = cut_water(inside, position + side * to_eye, drawn_m(water.level_m), normalize(to_eye));
        return mix(light, cut, water.cover);
    }
#endif
    vec3 surface = position + to_eye * share;
    seen = seen_from_water(surface.xz);
    vec4 bands = water.sea ? u_sea_bands : u_lake_bands;
    vec3 bed = light;
#ifdef RIVERS
    float flows = water.flows;
    float aside = 1.0 - clamp(water.bank_m / max(min(water.half_m, u_river_margin_m), 1e-3), 0.0, 1.0);
    float deep = u_river_depths.x * pow(max(2.0 * water.half_m, 1e-3), u_river_depths.y) * (1.0 - aside * aside);
    // eddies drawn out by the current: noise averaged along the course, which needs no way along it
    float streak = 0.0, pixel_m = u_water_pixel * length(to_eye);
    for (int i = 0; i < (flows > 0.0 ? STREAK_LOOKS : 0); ++i) {
        vec2 at = surface.xz + STREAK_STEP_M * (float(i) - 0.5 * float(STREAK_LOOKS - 1)) * water.along;
        streak += (tile_noise(at, 17.0, pixel_m) - 0.5) / float(STREAK_LOOKS);
    }
    streak *= 1.0 - aside * aside; // the current is slow at the bank
    deep *= clamp(1.0 + 2.0 * streak, 0.5, 1.5);
    depth = max(depth, flows * RIVER_MURK * deep);
    bands = mix(u_river_bands * clamp(1.0 + 7.0 * streak, 0.1, 2.0), bands, water.cover);
    cover = 1.0 - (1.0 - cover) * (1.0 - flows);
#endif
    if (cover <= 0.004) { // a level of 255
        return light;
    }
    vec3 shown = water_light(bed, surface, depth, seen, bands, water.sea && water.cover > 0.0);
#ifdef SEA
    // where rocks are met the sea may be deep beside them
    WHERE(water.sea && water.depth_m < (far_cell_m() < ROCKS_END * water_swash ? 30.0 : 5.0) * water_swash) {
        float foam = surf(surface.xz, water.depth_m, normal, water.pixel_m);
        shown = mix(shown, FOAM_ALBEDO * level_light(seen), foam * water.cover / cover);
    }
#endif
    position = mix(position, surface, water.cover);
    return mix(light, shown, cover);
}

// How far away the sea is that a level one would show at `way`: the Earth's falls away, and from a height h none is seen
// beyond its horizon, sqrt(2 R h). The horizon stays where a level sea has it, but is a line of water behind as much air
// as there is, where endless air would leave nothing of it.
float sea_way(float way) {
    float over_m = max(light_eye.y / view_exaggeration - water_sea_level, 0.1);
    return way * inversesqrt(1.0 + way * way / (2.0 * EARTH_M * over_m));
}

// The sea where no land is seen under it: beyond the land's edge the bed falls away, and before land that is cut off
// over the sea it is as deep as that is high. A sight line that meets the sea over the land has left that over
// its edge.
vec3 open_sea(vec3 direction) {
    float way = (light_eye.y - drawn_m(water_sea_level)) / max(-direction.y, 1e-5);
    vec3 at = light_eye.xyz + way * direction;
    float out_m;
    vec2 inside = on_land(at.xz, out_m);
    vec2 seen = seen_from_water(at.xz);
    float under_m = 0.0;
    if (out_m == 0.0) {
        under_m = leaves_land(at, direction);
        inside += under_m * direction.xz;
        seen = vec2(1.0); // the land's shadows lie on the land
    }
    float depth = abs(water_sea_level - texture(u_ground_m, water_place(inside)).r) + BED_FALLS * (out_m + under_m);
    vec3 light = water_light(light_plain.rgb * level_light(seen), at, depth, seen, u_sea_bands, true);
    vec2 place = light_eye.xz + sea_way(way) * direction.xz;
    return through_air(light, vec3(place.x, at.y, place.y));
}

// What stands behind land with cut sides, seen through the sea over it: that is cut off there, too.
vec3 through_cut_sea(vec3 behind, vec3 direction) {
    float level = drawn_m(water_sea_level);
    vec3 turn = 1.0 / (sign(direction + 1e-9) * max(abs(direction), 1e-6));
    vec2 one = -light_eye.xz * turn.xz, other = (light_land.xy - light_eye.xz) * turn.xz;
    vec2 first = min(one, other), last = max(one, other);
    float top = (level - light_eye.y) * turn.y;
    bool falls = direction.y < 0.0;
    float enters = max(max(first.x, first.y), falls ? top : 0.0), ends = min(last.x, last.y);
    ends = falls ? ends : min(ends, top);
    if (enters < 0.0 || ends <= enters || light_eye.y + ends * direction.y < light_land.z) {
        return behind;
    }
    vec3 at = light_eye.xyz + enters * direction;
    float way = ends - enters;
    if (falls && enters == top) {
        return water_light(behind, at, way * max(-direction.y, 0.1), vec2(1.0), u_sea_bands, true);
    }
    vec3 inside = mix(paint(water_colour.rgb) * level_light(vec2(1.0)), behind, exp(-water_extinction() * way));
    return cut_water(inside, at, level, -direction);
}
