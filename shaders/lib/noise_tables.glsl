// What:   the look-up tables of a kind: permutation entries (in x) and gradients.
// Use:    int h = u_permutation[i & 255].x;  vec4 g = u_vectors[h];
// Range:  PERMUTATION and VECTORS entries, put in front of the program; each table stays below 16 KiB, which every
//         OpenGL 3.3 holds. Blocks, not textures: reading one takes no sampler.
// Twin:   app/fellview/noise/options.py, Tables

layout(std140) uniform Permutation {
    ivec4 u_permutation[PERMUTATION];
};

layout(std140) uniform Vectors {
    vec4 u_vectors[VECTORS];
};
