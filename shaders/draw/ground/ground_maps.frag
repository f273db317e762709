// What:   what the ground is made of, seen straight from above and without light: its colour, its normal, how much of
//         it each material covers, and the share of the sky that it sees. A pixel covers u_step cells a side.
// Use:    a pass over a part of the land; u_first: the place of the first pixel's centre
// Units:  places in cells from the first vertex, x along columns and y along rows

#include "draw/ground/ground_texture.glsl"
#ifdef MATERIALS
#include "draw/ground/materials.glsl"
#endif

uniform sampler2D u_heights;
uniform sampler2D u_normals;
uniform sampler2D u_sky_share;
uniform vec2 u_cell_m; // x, z
uniform vec2 u_first;
uniform float u_step;

layout(location = 0) out vec4 out_colour; // rgb in display colours; a: the share of the sky
layout(location = 1) out vec4 out_normal; // x, y and z
layout(location = 2) out vec4 out_weights; // of the first four parts, or of the texture and of bare ground
layout(location = 3) out vec4 out_more_weights;

float height_m(ivec2 vertex) {
    return texelFetch(u_heights, clamp(vertex, ivec2(0), textureSize(u_heights, 0) - 1), 0).r;
}

float height_between_m(vec2 place) {
    ivec2 vertex = ivec2(floor(place));
    vec2 share = place - vec2(vertex);
    float low = mix(height_m(vertex), height_m(vertex + ivec2(1, 0)), share.x);
    float high = mix(height_m(vertex + ivec2(0, 1)), height_m(vertex + ivec2(1)), share.x);
    return mix(low, high, share.y);
}

void main() {
    vec2 size = vec2(textureSize(u_heights, 0));
    vec2 place = u_first + u_step * (gl_FragCoord.xy - 0.5);
    vec2 on_texels = (place + 0.5) / size;
    vec2 normal_xz = texture(u_normals, on_texels).rg;
    vec3 normal = vec3(normal_xz.x, sqrt(max(1.0 - dot(normal_xz, normal_xz), 0.0)), normal_xz.y);
    out_colour.a = texture(u_sky_share, on_texels).r;
#ifdef MATERIALS
    vec3 position_m = vec3(place.x * u_cell_m.x, height_between_m(place), place.y * u_cell_m.y);
    out_colour.rgb = material_albedo(position_m, position_m.yy, on_texels, 1.0, normal);
    out_weights = vec4(part_weights[0], part_weights[1], part_weights[2], part_weights[3]);
    out_more_weights = vec4(part_weights[4], part_weights[5], 0.0, 0.0);
#else
    vec2 across = place / size;
    out_colour.rgb = ground_albedo(ground_repeats * vec2(across.x, 1.0 - across.y), normal);
    float bare = bare_share(normal);
    out_weights = vec4(1.0 - bare, bare, 0.0, 0.0);
    out_more_weights = vec4(0.0);
#endif
    out_normal = vec4(normal, 1.0);
}
