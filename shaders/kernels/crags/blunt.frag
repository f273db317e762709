// What:   craggy ground without needles: no cell stands far over its highest neighbour.
// Twin:   app/fellview/terrain/steps/crags.py, _blunt()

uniform sampler2D u_heights;
uniform sampler2D u_weights;
uniform vec3 u_tips_m; // along z, along x, across

out float out_height_m;

float at(ivec2 cell) {
    return texelFetch(u_heights, clamp(cell, ivec2(0), textureSize(u_heights, 0) - 1), 0).r;
}

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    float h = texelFetch(u_heights, cell, 0).r;
    out_height_m = h;
    if (texelFetch(u_weights, cell, 0).r == 0.0) {
        return;
    }
    float along_z = max(at(cell - ivec2(0, 1)), at(cell + ivec2(0, 1))) + u_tips_m.x;
    float along_x = max(at(cell - ivec2(1, 0)), at(cell + ivec2(1, 0))) + u_tips_m.y;
    float above = max(at(cell + ivec2(-1, -1)), at(cell + ivec2(1, -1)));
    float below = max(at(cell + ivec2(-1, 1)), at(cell + ivec2(1, 1)));
    out_height_m = min(h, max(max(along_z, along_x), max(above, below) + u_tips_m.z));
}
