// What:   the light map of a land, out of that of the ground around it: shadows that fall across its border are in it.

uniform sampler2D u_light; // of a grid that the land is the middle of
uniform vec4 u_place; // from places in the land's textures to those in it: factors and offsets
uniform vec2 u_size;

out vec4 out_light;

void main() {
    out_light = textureLod(u_light, gl_FragCoord.xy / u_size * u_place.xy + u_place.zw, 0.0);
}
