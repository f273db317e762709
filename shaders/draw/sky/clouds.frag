// What:   draws the clouds above the horizon: heaps in a layer, and cirrus over them. Out comes their light times
//         alpha, and alpha, as they are seen through the air.
// Source: steps through the layer as in Schneider, "The real-time volumetric cloudscapes of Horizon: Zero Dawn"
//         (SIGGRAPH 2015); scattering in octaves, each further and evener: Wrenninge, Kulla, Lundqvist, "Oz: the great
//         and volumetric" (2013), doi:10.1145/2504459.2504518; Henyey and Greenstein's lobe

#include "draw/sky/cloud_shadow.glsl"
#include "draw/sky/air.glsl"
#include "draw/sky/way_up.glsl"

const float OPTICAL_THICK = 22.0; // of the whole layer: 0.04 a metre for heaps 550 m high, which have 0.01 to 0.1
const float EDGE = 0.09; // of the rank, from where a cloud begins to the thick of it
const float SOFT = 0.24; // the same for light, which finds its way around what is thin
const float SHADED = 0.6; // of a way's thickness, that light feels: droplets send most of it on
const float SWELL = 0.46; // of the rank, by which billows swell out or draw in
const float FRAY = 0.26; // of the rank, the same of finer ones, which make edges wispy
const vec2 BODY = vec2(0.0, 0.11); // of the rank: from where on billows have cloud to swell, and where they do in full
const float TALLER = 2.6; // times, that few clouds in a clear sky rise, for the ranks that they have are few
const float FLAT = 0.03; // of the rank, below which clouds are scraps that hardly rise
const float ALONE = -0.26, AMONG = 0.04; // of what is around, ranks over the cover's edge: small clouds, and wide ones
const float LOWEST = 0.25, HIGHEST = 1.3; // times as high as the others, small clouds and wide ones in a clear sky
const float RAGGED = 0.02; // of the layer's height, by which billows raise the base: some 10 m, for all air is alike
const float STEEP_BASE = 12.0; // ranks a layer's height, under it
const float BLOCKS_A_TILE = 12.0; // of billows, along the pattern: the widest are 0.44 of a patch
const float LEVELS_APART = 0.17; // of the textures: log2 of 12 * 48 texels over 512
const float FINER = 3.7; // times: near no whole number, or billows would meet their like
const mat3 TURN = mat3(0.36, 0.48, -0.8, -0.8, 0.6, 0.0, 0.48, 0.64, 0.6); // so that rows of the block lie in no layer
const float DOME = 0.55; // of the rank, from a cloud's edge to where it is as high as it gets
const float UNDER = 1.8; // a rank, by which thick clouds are darker below
const float HOLLOW = 0.14; // of the sky's light, that the cloud around a place keeps away, half of it each side
const float FADING_M = 15000.0; // from there on clouds thin out, or they crowd into rows at the horizon
const float FARTHEST_M = 110000.0; // to where none are left
const float NEAR_M = 900.0; // within it a cloud thins out: the eye does not fly into walls
const float FORWARD = 0.72; // mean cosine of the light that droplets turn, a little less than theirs, 0.85
const float CIRRUS_M = 9000.0; // over the plain
const float CIRRUS_TILE_M = 70000.0;
const float CIRRUS_HIDES = 0.75; // of the sky, where it is thickest

uniform sampler3D u_billows;
uniform float u_pixel; // its angle in radians
uniform vec3 u_every; // of the picture that this is a part of: the first pixel that is drawn, and from one to the next

in vec3 v_dir_world;

out vec4 out_cloud;

// The share of the layer's height that a sight line has risen to, on a round earth.
float height_at(float way_m, float sine) {
    return (light_eye.y + way_m * sine + way_m * way_m / (2.0 * EARTH_M) - light_cloud.x) / light_cloud.y;
}

// How many times as high clouds grow where there is so much cloud around, by rank: wide ones tower, small are flat.
float grown(float around) {
    return mix(LOWEST, mix(HIGHEST, 1.0, light_clouds.x), smoothstep(ALONE, AMONG, around - (1.0 - light_clouds.x)));
}

// How far the middle of a heap stands over its edge, in ranks, at a column that is `column` over the cover's edge.
float heaped(float column, float grows) {
    return grows * column * mix(TALLER, 1.0, light_clouds.x) * max(column, 0.0) / (max(column, 0.0) + FLAT);
}

// How far inside a heap of cloud a place is, in ranks, below 0 outside; `high` is its share of the layer's height. A
// column of the pattern is a dome on a level base, where air that rises condenses: the same height for all. Billows,
// the same from all sides, swell the dome and cut into it, and make no cloud of their own.
float inside(vec2 layer_m, float high, float level, out float column) {
    vec4 cloud = textureLod(u_clouds, layer_m * light_clouds.y, floor(level));
    column = cloud.r - (1.0 - light_clouds.x);
    float grows = grown(cloud.a);
    vec3 place = vec3(layer_m, high * light_cloud.y).xzy * light_clouds.y * BLOCKS_A_TILE;
    float bulge = textureLod(u_billows, TURN * place, level + LEVELS_APART).r - 0.5;
    float finer = textureLod(u_billows, FINER * (TURN * place.zxy), level + LEVELS_APART + log2(FINER)).r - 0.5;
    float room = smoothstep(-0.1, 0.5, high);
    float raised = min(high - RAGGED * (0.5 + bulge), 0.0) * STEEP_BASE;
    float swells = (0.15 + 0.85 * room) * SWELL * bulge + (0.6 + 0.4 * room) * FRAY * (finer - 0.15);
    swells *= min(grows, 1.0) * smoothstep(BODY.x, BODY.y, column);
    return heaped(column, grows) - DOME * high * high + swells + raised;
}

// The same without billows, for what lies farther towards the sun: how dense it is, 0 to 1.
float dense_at(vec2 layer_m, float high, float level) {
    vec4 cloud = textureLod(u_clouds, layer_m * light_clouds.y, floor(level));
    float heap = heaped(cloud.r - (1.0 - light_clouds.x), grown(cloud.a));
    return clamp((heap - DOME * high * high) / SOFT + 0.2, 0.0, 1.0);
}

// The integral of clamp(x / EDGE, 0, 1).
float summed(float x) {
    float within = clamp(x, 0.0, EDGE);
    return 0.5 * within * within / EDGE + max(x - EDGE, 0.0);
}

// Where in its first step a sight line begins, 0 to 1: each of four pixels by four at another place, neighbours far
// apart, so that no steps are seen where the picture is evened out. Order: Bayer, "An optimum method for two-level
// rendition of continuous-tone pictures" (1973).
float jitter() {
    ivec2 at = ivec2(u_every.xy + u_every.z * floor(gl_FragCoord.xy));
    int odd = (at.x ^ at.y) & 1, two = ((at.x ^ at.y) >> 1) & 1;
    return (float(8 * odd + 4 * (at.y & 1) + 2 * two + ((at.y >> 1) & 1)) + 0.5) / 16.0;
}

float forward(float cosine, float mean) {
    float spread = 1.0 + mean * mean - 2.0 * mean * cosine;
    return (1.0 - mean * mean) / (4.0 * spread * sqrt(spread)); // times pi: for light over pi
}

// Light times alpha, and alpha, of a thin layer.
vec4 cirrus(vec3 direction, float turned, vec3 above) {
    float rise = light_eye.w + CIRRUS_M * view_exaggeration - light_eye.y;
    if (light_cloud.z == 0.0 || rise <= 0.0) {
        return vec4(0.0);
    }
    float way = way_up(rise, direction.y);
    vec2 place = (light_eye.xz + way * direction.xz) / CIRRUS_TILE_M;
    float level = log2(max(way * u_pixel / max(direction.y, 0.02) / CIRRUS_TILE_M * float(textureSize(u_clouds, 0).x), 1.0));
    // fibres bend in long waves, and thin ones lie across and within thick ones
    place += 0.025 * (textureLod(u_clouds, 0.11 * place, 0.0).rg - 0.5);
    float broad = textureLod(u_clouds, place.yx, level).b;
    float fine = textureLod(u_clouds, 3.7 * (place.yx + 0.12 * place), level + 1.9).b;
    float edge = 1.0 - light_cloud.z;
    float thick = smoothstep(edge, edge + 0.7, broad) * (0.25 + 0.75 * fine) + 0.25 * light_cloud.z * fine * fine * broad;
    float alpha = CIRRUS_HIDES * clamp(thick, 0.0, 1.0);
    vec3 light = light_cloud_sun.rgb * (0.45 + 0.35 * forward(turned, FORWARD)) + 0.6 * above;
    vec3 at = light_eye.xyz + way * direction;
    return alpha * vec4(mix(endless_air(direction), light, exp(-air_to(vec3(at.x, light_eye.y + rise, at.z)))), 1.0);
}

void main() {
    vec3 direction = normalize(v_dir_world);
    vec3 sun = light_sun_dir.xyz;
    float turned = dot(direction, sun);
    float base = light_cloud.x, thick = light_cloud.y;
    vec3 above = light_sky[0].rgb + light_sky[2].rgb; // over pi, what a surface that faces up gets of the sky
    vec3 below = light_ground.rgb + 0.4 * above;

    float extinction = OPTICAL_THICK / thick; // a metre
    vec2 eye_m = light_eye.xz + vec2(light_cloud.w, 0.0);
    vec4 cloud = vec4(0.0);
    float rise = base - light_eye.y;
    if (light_clouds.x > 0.0 && rise + thick > 0.0) {
        float from = rise > 0.0 ? way_up(rise, direction.y) : 0.0;
        float to = min(way_up(rise + thick, direction.y), FARTHEST_M);
        from = max(from, 0.5 * NEAR_M);
        float farther = pow(max(to / from, 1.0), 1.0 / float(STEPS)) - 1.0; // what is far is small and dim
        float texel_m = 1.0 / (light_clouds.y * float(textureSize(u_clouds, 0).x));
        float kept = 1.0;
        vec3 light = vec3(0.0);
        float seen_m = 0.0;
        float edge_light = 0.5 * forward(turned, FORWARD) + 0.5 * forward(turned, 0.2);
        float at = from, at_was = from, was = -1.0;
        float step_m = jitter() * farther * from;
        for (int i = 0; i <= STEPS; ++i) {
            at = min(at_was + step_m, to);
            float high = height_at(at, direction.y);
            vec2 layer_m = eye_m + at * direction.xz;
            float level = log2(max(0.2 * step_m, 1.4 * at * u_pixel) / texel_m);
            float column, other;
            float is = inside(layer_m, high, level, column);
            if (i == 0) {
                was = is;
            }
            // Between two places it is taken to change evenly, and what is dense of the way is summed exactly, so that
            // clouds have no steps.
            float apart = is - was;
            float dense = abs(apart) < 1e-4 ? clamp(is / EDGE, 0.0, 1.0) : (summed(is) - summed(was)) / apart;
            dense *= smoothstep(0.0, NEAR_M, at) * (1.0 - smoothstep(FADING_M, FARTHEST_M, at));
            float enters = was < 0.0 ? was / min(was - is, -1e-4) : 0.0;
            float lit_at = mix(at_was, at, min(enters + 0.1, 1.0)); // light comes from where it is entered
            float lit_high = clamp(height_at(lit_at, direction.y), 0.0, 1.0);
            vec2 lit_m = eye_m + lit_at * direction.xz;
            // what lies towards the sun, at two distances
            float near_m = 0.14 * thick, far_m = 0.6 * thick;
            float towards = inside(lit_m + near_m * sun.xz, lit_high + near_m * sun.y / thick, level, other);
            float dense_far = dense_at(lit_m + far_m * sun.xz, lit_high + far_m * sun.y / thick, level + 1.0);
            float depth = SHADED * extinction
                * (near_m * clamp(towards / SOFT + 0.3, 0.0, 1.0) + 1.4 * (far_m - near_m) * dense_far);
            float through = exp(-extinction * dense * (at - at_was));
            // the sky's light comes down through the column, and is turned back by what is around the place
            float open = mix(exp(-UNDER * clamp(column, 0.0, 0.4)), 1.0, lit_high);
            open *= 1.0 - HOLLOW * clamp((towards + is) / EDGE, 0.0, 2.0);
            float turned_often = (0.30 * exp(-0.4 * depth) + 0.26 * exp(-0.10 * depth)) * mix(open, 1.0, 0.5);
            vec3 here = light_cloud_sun.rgb * (edge_light * exp(-depth) + turned_often)
                + open * mix(below, above, 0.35 + 0.65 * lit_high) * mix(0.65, 0.85, lit_high);
            light += kept * (1.0 - through) * here;
            seen_m += kept * (1.0 - through) * at;
            kept *= through;
            if (kept < 0.01 || at >= to) {
                break;
            }
            // short steps in clouds, long ones between them
            step_m = at * farther * (is > 0.0 ? 0.6 : 1.0 + 2.0 * min(-is, 0.5));
            was = is;
            at_was = at;
        }
        float alpha = 1.0 - kept;
        if (alpha > 0.0) {
            float way = seen_m / alpha;
            vec3 place = light_eye.xyz + way * direction;
            place.y = base + 0.3 * thick;
            cloud = vec4(mix(alpha * endless_air(direction), light, exp(-air_to(place))), alpha);
        }
    }
    out_cloud = cloud + (1.0 - cloud.a) * cirrus(direction, turned, above);
}
