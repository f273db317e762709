// What:   noise of two sizes over the ground, of which the patches of a meadow are made.
// Use:    vec4 broad = broad_patches(position_m, sharper);  vec4 close = close_patches(position_m, sharper);  sharper:
//         the bias of levels for what a pixel covers
// Units:  two noises in deviations, and their slopes

const float BROAD_M = 2900.0; // a side of the patches
const float CLOSE_M = 167.0; // and of their smaller copy, which goes on where they end: from 56 m down to a metre
const mat2 TURNED = mat2(0.8, 0.6, -0.6, 0.8); // so that no repeat of it lies along another's
const float PATCHES_SHARPER = -1.0; // levels: their finest are four texels wide, so that they do not glitter yet
const float NOISE_DEVIATION = 42.0 / 255.0; // of the patches

uniform sampler2D u_patches;

vec4 broad_patches(vec3 position_m, float sharper) {
    return (texture(u_patches, position_m.xz / BROAD_M, PATCHES_SHARPER + 0.5 * sharper) - 0.5) / NOISE_DEVIATION;
}

vec4 close_patches(vec3 position_m, float sharper) {
    return (texture(u_patches, TURNED * position_m.xz / CLOSE_M, sharper) - 0.5) / NOISE_DEVIATION;
}
