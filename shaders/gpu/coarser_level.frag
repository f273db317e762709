// What:   the next coarser level of a texture: each texel the mean of those of the finer level that lie under it. Where
//         a side is odd, three do along it, each with the share of it that does.
// Source: Guthe and Heckbert, "Non-Power-of-Two Mipmapping", NVIDIA technical report, 2005

uniform sampler2D u_field; // its base level is the finer one

out vec4 out_mean;

// Returns the shares of three texels along a side at a `place` of the coarser one: two lie under it, or a third, too.
vec3 shares(int place, int size) {
    int coarser = size / 2;
    vec3 odd = vec3(coarser - place, coarser, place + 1) / float(size);
    return size == 1 ? vec3(1.0, 0.0, 0.0) : size % 2 == 0 ? vec3(0.5, 0.5, 0.0) : odd;
}

void main() {
    ivec2 place = ivec2(gl_FragCoord.xy), size = textureSize(u_field, 0), last = size - 1;
    vec3 across = shares(place.x, size.x), along = shares(place.y, size.y);
    ivec2 first = 2 * place, next = min(first + 1, last);
    vec4 above = across.x * texelFetch(u_field, first, 0) + across.y * texelFetch(u_field, ivec2(next.x, first.y), 0);
    vec4 below = across.x * texelFetch(u_field, ivec2(first.x, next.y), 0) + across.y * texelFetch(u_field, next, 0);
    vec4 mean = along.x * above + along.y * below;
    // loops of no turns are all that software OpenGL leaves out
    int right = across.z > 0.0 ? 3 : 0, under = along.z > 0.0 ? 3 : 0;
    for (int z = 0; z < right; ++z) {
        mean += across.z * along[z] * texelFetch(u_field, min(first + ivec2(2, z), last), 0);
    }
    for (int x = 0; x < min(under, 2); ++x) {
        mean += across[x] * along.z * texelFetch(u_field, min(first + ivec2(x, 2), last), 0);
    }
    out_mean = mean;
}
