// What:   one semi-implicit step of creep and, by a part, down to the talus angle.
// Twin:   app/fellview/terrain/erosion/fluvial.py, _relax()

uniform sampler2D u_heights;
uniform sampler2D u_flow;
uniform float u_cell_area;
uniform float u_critical; // 4 Ac
uniform float u_creep;
uniform float u_slide;
uniform float u_talus;
uniform vec3 u_lengths;
uniform vec3 u_weights;
uniform bool u_layers;
uniform sampler2D u_surface; // of layers of rock: steepest slope in its second component

out float out_height;

float at(ivec2 cell) { // the edge is repeated, so that nothing flows over it
    return texelFetch(u_heights, clamp(cell, ivec2(0), textureSize(u_heights, 0) - 1), 0).x;
}

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    float d = u_creep * u_critical / (texelFetch(u_flow, cell, 0).x * u_cell_area + u_critical);
    float n = at(cell + ivec2(0, -1)), s = at(cell + ivec2(0, 1));
    float w = at(cell + ivec2(-1, 0)), e = at(cell + ivec2(1, 0));
    float nw = at(cell + ivec2(-1, -1)), ne = at(cell + ivec2(1, -1));
    float sw = at(cell + ivec2(-1, 1)), se = at(cell + ivec2(1, 1));
    float around = 2.0 * (u_weights.x + u_weights.y) + 4.0 * u_weights.z;
    float pull = u_weights.x * (n + s) + u_weights.y * (w + e) + u_weights.z * ((nw + se) + (ne + sw));
    float crept = (at(cell) + d * pull) / (1.0 + d * around);
    vec3 talus = (u_layers ? texelFetch(u_surface, cell, 0).y : u_talus) * u_lengths;
    float steepest = min(min(min(n, s) + talus.x, min(w, e) + talus.y), min(min(nw, ne), min(sw, se)) + talus.z);
    out_height = crept - u_slide * max(0.0, crept - steepest);
}
