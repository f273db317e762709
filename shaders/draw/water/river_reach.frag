// What:   whether a cell is within reach of a river: 1, or 0.

uniform sampler2D u_courses;
uniform int u_reach; // cells, as in river_courses.frag

out float out_near;

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy), last = textureSize(u_courses, 0) - 1;
    float width = 0.0;
    for (int z = -u_reach - 1; z <= u_reach + 1; ++z) { // texels of the finer grid lie in the next cell, too
        for (int x = -u_reach - 1; x <= u_reach + 1; ++x) {
            width = max(width, texelFetch(u_courses, clamp(here + ivec2(x, z), ivec2(0), last), 0).b);
        }
    }
    out_near = width > 0.0 ? 1.0 : 0.0;
}
