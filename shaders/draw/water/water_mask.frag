// What:   where drawing need think of water: 1 for CELLS x CELLS cells that have some or are within its reach, else 0.
//         Never 0 where the shaders would find water: they look at ground and lakes two cells around, and so does this.
//         And 1 where there is nothing but sea, so deep that nobody sees its bed, else 0.

const int CELLS = 4;
const int AROUND = 1; // the mask is read between its texels, which reaches a cell farther than this

uniform sampler2D u_heights;
uniform sampler2D u_lakes;
uniform sampler2D u_rivers;
uniform vec2 u_has; // lakes, rivers
uniform float u_sea_m;
uniform float u_reach_m; // over the level
uniform float u_deep_m; // under the sea's level
uniform int u_stride; // vertices apart that are looked at: 1, but in a draft, which has no thin water
uniform float u_river_level; // of the mipmaps, at which a texel is a cell: coarser ones round thin ends to nothing

out vec2 out_near;

void main() {
    ivec2 first = CELLS * ivec2(gl_FragCoord.xy), last = textureSize(u_heights, 0) - 1;
    float ground = 1e9, highest = -1e9, level = u_sea_m, river = 0.0;
    // loops of no turns are all that software OpenGL leaves out
    ivec2 from = first - AROUND, to = first + CELLS + AROUND;
    ivec2 lakes_to = u_has.x > 0.5 ? to : from, rivers_to = u_has.y > 0.5 ? first + CELLS : first;
    for (int z = from.y; z < to.y; z += u_stride) {
        for (int x = from.x; x < to.x; x += u_stride) {
            float height = texelFetch(u_heights, clamp(ivec2(x, z), ivec2(0), last), 0).r;
            ground = min(ground, height);
            highest = max(highest, height);
        }
    }
    for (int z = from.y; z < lakes_to.y; z += u_stride) {
        for (int x = from.x; x < lakes_to.x; x += u_stride) {
            level = max(level, texelFetch(u_lakes, clamp(ivec2(x, z), ivec2(0), last), 0).r);
        }
    }
    vec2 size = vec2(last + 1);
    for (int z = first.y; z < rivers_to.y; ++z) {
        for (int x = first.x; x < rivers_to.x; ++x) {
            river = max(river, textureLod(u_rivers, (vec2(x, z) + 0.5) / size, u_river_level).g);
        }
    }
    bool wet = level + u_reach_m >= ground || river > 0.0, deep = highest < u_sea_m - u_deep_m && level <= u_sea_m;
    out_near = vec2(wet, deep);
}
