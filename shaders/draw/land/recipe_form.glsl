// What:   the form of the ground around a land, which its recipe makes: a height in metres, how steep it is, in metres
//         a side of the land, and how much of the finer detail it has, which in a river's bed is none.
// Use:    vec3 form = form_at(place);
// Units:  places in sides of the land: 0 to 1 is the land itself
// Twin:   app/fellview/draw/land/recipe_form.py, which makes the texture

#include "draw/land/land_places.glsl"

const float LEAST_RELIEF = 0.1; // of the land's range a side: less slope of its form says nothing of its detail
const float ROUGHER_GROWS = 0.15; // sides from the border over which it comes to have so much,
const float NONE_GROWS = 0.04; // or none anywhere

uniform sampler2D u_form;
uniform sampler2D u_land_form; // the same over the land, spread out finer
uniform float u_form_beyond; // how many sides of the land it reaches on every side: beyond, it is mirrored
uniform float u_agreement; // how far ground takes it
uniform vec2 u_detail; // how much of the mirrored detail ground has, where its form is less and where it is more steep
uniform float u_relief_m; // the land's highest less its lowest

// By a cubic B-spline, smooth in its slopes, of which linear filtering takes four texels at once.
vec3 form_at(vec2 place) {
    float sides = 2.0 * u_form_beyond + 1.0;
    vec2 size = vec2(textureSize(u_form, 0)), at = size * to_and_fro((place + u_form_beyond) / sides);
    vec2 t = fract(at), s = 1.0 - t, first = at - t + 0.5;
    vec2 before = s * s * s / 6.0 + t * t * (0.5 * t - 1.0) + 2.0 / 3.0, after = 1.0 - before;
    vec2 low = (first - 1.0 + (t * t * (0.5 * t - 1.0) + 2.0 / 3.0) / before) / size;
    vec2 high = (first + 1.0 + t * t * t / 6.0 / after) / size;
    return before.y * (before.x * texture(u_form, low).rgb + after.x * texture(u_form, vec2(high.x, low.y)).rgb)
        + after.y * (before.x * texture(u_form, vec2(low.x, high.y)).rgb + after.x * texture(u_form, high).rgb);
}

// Its height and how steep it is at the place of the land that texture coordinates `from` are.
vec2 land_form_at(vec2 from) {
    vec2 size = vec2(textureSize(u_land_form, 0));
    return texture(u_land_form, ((from * u_land_texels - 0.5) / (u_land_texels - 1.0) * (size - 1.0) + 0.5) / size).rg;
}

// How rough ground is whose form is `here`, times the detail on the form `there`.
float roughness(vec3 here, vec2 there, float out_sides) {
    float least_m = LEAST_RELIEF * u_relief_m, grows = u_detail.y > 0.0 ? ROUGHER_GROWS : NONE_GROWS;
    float grown = u_agreement * smoothstep(0.0, grows, out_sides);
    return mix(1.0, here.z * clamp((here.y + least_m) / (there.y + least_m), u_detail.x, u_detail.y), grown);
}
