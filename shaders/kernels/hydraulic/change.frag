// What:   what a level hands up: how much its ground has changed, water and load.

uniform sampler2D u_land;
uniform sampler2D u_base;

out vec4 out_change;

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    vec4 land = texelFetch(u_land, cell, 0);
    out_change = vec4(land.x - texelFetch(u_base, cell, 0).x, land.yzw);
}
