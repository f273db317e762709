// What:   the light map of a grid around a land, which near its outer border becomes that of the one around it: only
//         that one knows of shadows that fall in from beyond.

uniform sampler2D u_light; // of the grid
uniform sampler2D u_outer; // of the one around it
uniform vec4 u_place; // from places in the grid's textures to those in the outer one's: factors and offsets
uniform vec2 u_size;
uniform vec2 u_joins; // how far from the border, in widths of the grid

out vec4 out_light;

void main() {
    vec2 place = gl_FragCoord.xy / u_size, out_of = min(place, 1.0 - place) / u_joins;
    vec4 own = texelFetch(u_light, ivec2(gl_FragCoord.xy), 0);
    vec4 outer = textureLod(u_outer, place * u_place.xy + u_place.zw, 0.0);
    out_light = mix(outer, own, smoothstep(0.0, 1.0, min(out_of.x, out_of.y)));
}
