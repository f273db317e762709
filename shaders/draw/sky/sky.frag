// What:   what is behind everything: the sky with the sun's disc, and stars in space or at night; far below the land a
//         plain that fades into the horizon; or the studio of a slab. Parallel sight lines have one colour of sky, all
//         in one direction, or else the studio or the sea where each of them meets it.

#ifdef ORTHOGRAPHIC
in vec3 v_eye_world;
#define light_eye vec4(v_eye_world, 0.0) // for all that follows: where this pixel's sight line begins
#endif
#include "draw/sky/background.glsl"
#include "lib/hash.glsl"

// cells of a star or none along a face of the cube around the eye: 1.1 degrees at its edge
const float STARS_A_SIDE = 90.0;
const float STAR_SHARE = 0.12;
const float STAR_RADIUS = 0.045; // of a cell: 3 arc minutes, a pixel at 1080 lines and 45 degrees

#ifdef CLOUDED
uniform sampler2D u_cloud_picture; // light times alpha, and alpha
uniform vec2 u_picture_size; // in pixels
uniform vec2 u_corner_px; // of what is drawn of the picture
#endif

in vec3 v_dir_world;

out vec4 out_color;

vec3 stars(vec3 direction) {
    vec3 size = abs(direction);
    float most = max(size.x, max(size.y, size.z));
    int face = most == size.x ? 0 : most == size.y ? 1 : 2;
    vec2 across = (face == 0 ? direction.yz : face == 1 ? direction.xz : direction.xy) / most;
    vec2 place = 0.5 * STARS_A_SIDE * (across + 1.0);
    ivec2 cell = ivec2(floor(place));
    int side = face * 2 + (dot(direction, vec3(1.0)) > 0.0 ? 1 : 0);
    uint mixed = hash_cell(ivec4(cell, side, 0), 3, 0u);
    vec2 centre = 0.2 + 0.6 * vec2(hash_unit(hash_more(mixed, 1u)), hash_unit(hash_more(mixed, 2u)));
    float near = 1.0 - smoothstep(0.0, STAR_RADIUS, distance(fract(place), centre));
    float order = hash_unit(mixed) / STAR_SHARE;
    return vec3(order < 1.0 ? near * exp2(-6.0 * order) : 0.0); // few are bright: six magnitudes, roughly
}

void main() {
    vec3 direction = normalize(v_dir_world);
#if defined(ORTHOGRAPHIC) && !defined(SLAB) && !(defined(OPEN_SEA) && defined(BELOW))
    vec3 sky = sky_light(direction);
#if defined(CUT) && defined(SEA)
    sky = through_sea_section(sky, direction);
#endif
    out_color = vec4(into_display(sky), 1.0);
#elif !defined(LINEAR) || SKY_KIND == SKY_GRADIENT || !(defined(ABOVE) || defined(ROUND)) || defined(SLAB)
    out_color = vec4(into_display(background(direction)), 1.0);
#else
    vec3 light = sky_light(direction);
#ifdef STARRY
    light += light_night.w * stars(direction);
#endif
    // what is one minus a cosine near the sun has few digits left: by the chord instead
    float off = distance(direction, light_sun_dir.xyz) / light_sun_dir.w;
    light += light_disc.rgb * (1.0 - smoothstep(0.92, 1.08, off));
#ifdef CLOUDED
    vec4 cloud = texture(u_cloud_picture, (gl_FragCoord.xy + u_corner_px) / u_picture_size);
    light = light * (1.0 - cloud.a) + cloud.rgb;
#endif
    out_color = vec4(into_picture(through_mist(light, direction)), 1.0);
#endif
}
