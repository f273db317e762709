// What:   the slopes of a water's surface roughened by wind, as far as pixels can show them, and of all the rest the
//         variance, which reflection is blurred by; and where the wind strikes the water and where it is slick.
// Use:    Waves waves = waves_at(place_m, pixel_m, bands, shoaled, is_sea);
// Twin:   app/fellview/draw/water/waves.py, which has the equations and sources, makes the tile and says how steep it
//         is

const int SIZES = 3;
const float MOST_SLOPE = 3.0, MOST_LOST = 2.0; // as in draw/water/waves.py
const float SHARPER = 0.5; // a pixel's length along the sight that counts: waves that run across it are seen finer
const float GUSTS_M = 1730.0; // the tile's width as noise of gusts at sea
const float LAKE_WIDER = 3.0; // times, over other water: patches of some tens of metres look like waves that no lake has
const float TRACKS = 3.0; // times narrower across the wind
const float WEATHER_M = 11900.0; // and as noise of the winds that gusts come with, from where no gust is seen any more
const float WEATHER_LEVEL = 3.0; // of the tile: only broad patches of it, some kilometres wide
const vec2 WEATHER_TURN = vec2(0.87, 0.49); // cosine and sine: its rows of tiles lie across those of the gusts
const float BENT = 0.6; // of the tile: how far weather bends the gusts' tracks, or from high up their tiles stood in rows
const vec2 TILES_FADE = vec2(0.05, 0.25); // of a tile's width: from a pixel so long on its pattern fades, and is gone
const float GUST = 0.9; // how much variance gusts add and take away
const vec3 GUSTS = vec3(1.2, 3.0, 1.5); // how much of it the weather does, gusts, and the smallest of them at sea,
const vec3 LAKE_GUSTS = vec3(1.2, 1.5, 0.3); // and over other water
const float SLICK_KEEPS = 0.45; // of the slopes of short waves, where a film lies on the sea

uniform sampler2D u_waves; // slopes, variance lost in them, noise
uniform vec4 u_wave_layers[SIZES]; // from metres to the tile: cosine and sine over the tile's width, offsets
uniform vec3 u_wave_texels_log2; // of a texel in metres
uniform vec2 u_wind; // where it blows to, along x and z, of length 1

struct Waves {
    vec2 slope; // along x and z
    float rough; // variance of the slopes that are not in it
    float gust; // the wind's share that strikes here: 1 on the mean
};

vec2 on_wave_tile(vec4 layer, vec2 place_m) {
    return vec2(layer.x * place_m.x + layer.y * place_m.y, layer.x * place_m.y - layer.y * place_m.x) + layer.zw;
}

// `pixel_m` is what a pixel covers across and along the sight, `bands` the deviation of slopes in each size and the
// variance of what is finer, and `shoaled` each size's share that the depth lets stand.
Waves waves_at(vec2 place_m, vec2 pixel_m, vec4 bands, vec3 shoaled, bool is_sea) {
    float seen = log2(max(SHARPER * pixel_m.y, pixel_m.x));
    float side = float(textureSize(u_waves, 0).x);
    vec2 run = vec2(dot(u_wind, place_m), u_wind.x * place_m.y - u_wind.y * place_m.x);
    vec2 turned = vec2(dot(WEATHER_TURN, run), WEATHER_TURN.x * run.y - WEATHER_TURN.y * run.x) / WEATHER_M;
    float weather = textureLod(u_waves, turned, max(seen - log2(WEATHER_M / side), WEATHER_LEVEL)).a - 0.5;
    float gusts_m = is_sea ? GUSTS_M : LAKE_WIDER * GUSTS_M;
    vec2 track = vec2(run.x, TRACKS * run.y) / gusts_m + BENT * weather;
    float broad = textureLod(u_waves, track, max(seen - log2(gusts_m / TRACKS / side), 0.0)).a - 0.5;
    // what a pixel covers several waves of has a mean that goes by the rows of tiles along the sight: a fan of rays
    vec3 tiles = pixel_m.y * vec3(1.0 / WEATHER_M, TRACKS / gusts_m, exp2(-u_wave_texels_log2.x) / side);
    vec3 shows = 1.0 - smoothstep(TILES_FADE.x, TILES_FADE.y, tiles);
    vec2 slope = vec2(0.0);
    vec3 steep = bands.xyz * shoaled;
    vec4 found[SIZES];
    for (int i = 0; i < SIZES; ++i) {
        vec4 layer = u_wave_layers[i];
        found[i] = textureLod(u_waves, on_wave_tile(layer, place_m), max(seen - u_wave_texels_log2[i], 0.0));
    }
    float fine = found[0].a - 0.5;
    vec3 gusts = is_sea ? GUSTS : LAKE_GUSTS;
    float gust = clamp(1.0 + GUST * dot(gusts * shows, vec3(weather, broad, fine)), 0.1, 2.2);
    float film = mix(1.0, smoothstep(0.0, 0.035, abs(broad + 0.04 + 0.12 * fine)), shows.y);
    float calm = is_sea ? mix(SLICK_KEEPS, 1.0, film) : 1.0;
    vec3 here = steep * sqrt(gust) * vec3(1.0, calm, calm);
    float rough = bands.w * gust * calm * calm;
    for (int i = 0; i < SIZES; ++i) {
        vec4 layer = u_wave_layers[i];
        vec2 turn = layer.xy * inversesqrt(dot(layer.xy, layer.xy));
        vec2 on_tile = (found[i].rg * 255.0 - 128.0) * (MOST_SLOPE / 127.5);
        slope += here[i] * vec2(turn.x * on_tile.x - turn.y * on_tile.y, turn.y * on_tile.x + turn.x * on_tile.y);
        rough += MOST_LOST * here[i] * here[i] * found[i].b;
    }
    return Waves(slope, rough, gust * calm);
}
