// What:   where drawing need think of water: 1 for CELLS x CELLS cells that have some or are within its reach, else 0.
//         Never 0 where the shaders would find water: they look at ground and lakes two cells around, and so does this.

const int CELLS = 4;
const int AROUND = 1; // the mask is read between its texels, which reaches a cell farther than this

uniform sampler2D u_heights;
uniform sampler2D u_lakes;
uniform sampler2D u_rivers;
uniform vec2 u_has; // lakes, rivers
uniform float u_sea_m;
uniform float u_reach_m; // over the level
uniform float u_river_level; // of the mipmaps, at which a texel is a cell: coarser ones round thin ends to nothing

out float out_near;

void main() {
    ivec2 first = CELLS * ivec2(gl_FragCoord.xy), last = textureSize(u_heights, 0) - 1;
    float ground = 1e9, level = u_sea_m;
    for (int z = -AROUND; z < CELLS + AROUND; ++z) {
        for (int x = -AROUND; x < CELLS + AROUND; ++x) {
            ivec2 at = clamp(first + ivec2(x, z), ivec2(0), last);
            ground = min(ground, texelFetch(u_heights, at, 0).r);
            level = u_has.x > 0.5 ? max(level, texelFetch(u_lakes, at, 0).r) : level;
        }
    }
    vec2 size = vec2(last + 1);
    float river = 0.0;
    for (int z = 0; z < CELLS; ++z) {
        for (int x = 0; x < CELLS; ++x) {
            vec2 place = (vec2(first + ivec2(x, z)) + 0.5) / size;
            river = max(river, u_has.y * textureLod(u_rivers, place, u_river_level).g);
        }
    }
    out_near = level + u_reach_m >= ground || river > 0.0 ? 1.0 : 0.0;
}
