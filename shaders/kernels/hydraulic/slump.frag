// What:   the land after banks have crept and steep slopes have slid; nothing goes over the edge.
// Twin:   app/fellview/terrain/erosion/hydraulic.py, _slump()

uniform sampler2D u_land;
uniform float u_bank;
uniform float u_slide;
uniform float u_deep;
uniform vec3 u_tali;  // (z, x, across), as below
uniform vec3 u_rates;
uniform bool u_layers;
uniform sampler2D u_surface; // of layers of rock: steepest slope in its second component

out vec4 out_land;

float slip(vec4 land, ivec2 neighbour, float talus) {
    neighbour = clamp(neighbour, ivec2(0), textureSize(u_land, 0) - 1);
    vec4 there = texelFetch(u_land, neighbour, 0);
    if (u_layers) {
        talus *= 0.5 * (texelFetch(u_surface, ivec2(gl_FragCoord.xy), 0).y + texelFetch(u_surface, neighbour, 0).y);
    }
    float fall = land.x - there.x;
    float wet = min(land.y, u_deep) + min(there.y, u_deep);
    return u_bank * wet * fall + u_slide * (max(fall - talus, 0.0) + min(fall + talus, 0.0));
}

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    vec4 land = texelFetch(u_land, cell, 0);
    float z = slip(land, cell + ivec2(0, -1), u_tali.x) + slip(land, cell + ivec2(0, 1), u_tali.x);
    float x = slip(land, cell + ivec2(-1, 0), u_tali.y) + slip(land, cell + ivec2(1, 0), u_tali.y);
    float fall = slip(land, cell + ivec2(-1, -1), u_tali.z) + slip(land, cell + ivec2(1, 1), u_tali.z);
    float rise = slip(land, cell + ivec2(1, -1), u_tali.z) + slip(land, cell + ivec2(-1, 1), u_tali.z);
    land.x -= (u_rates.x * z + u_rates.y * x) + u_rates.z * (fall + rise);
    out_land = land;
}
