// What:   whether any cell of a block is within reach of a river: 1, or 0.

uniform sampler2D u_courses;
uniform int u_reach; // cells, as in river_courses.frag
uniform int u_block; // cells a side

out float out_near;

void main() {
    ivec2 first = u_block * ivec2(gl_FragCoord.xy), last = textureSize(u_courses, 0) - 1;
    int around = u_reach + 1; // texels of the finer grid lie in the next cell, too
    float width = 0.0;
    for (int z = -around; z < u_block + around; ++z) {
        for (int x = -around; x < u_block + around; ++x) {
            width = max(width, texelFetch(u_courses, clamp(first + ivec2(x, z), ivec2(0), last), 0).b);
        }
    }
    out_near = width > 0.0 ? 1.0 : 0.0;
}
