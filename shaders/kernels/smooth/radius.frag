// What:   one blur of five taps along z or x.
// Twin:   app/fellview/terrain/steps/smooth.py, _blur_along_z() and _blur_along_x()

uniform sampler2D u_heights;
uniform ivec2 u_apart; // from tap to tap, in cells along x and z
uniform vec3 u_weights; // from the middle outwards

out float out_height_m;

// The height of `cell` of the land that is mirrored at its border.
float mirrored(ivec2 cell) {
    ivec2 size = textureSize(u_heights, 0);
    // % is undefined below 0, so four double lengths come first: no tap is as far as eight sides
    cell = (cell + 8 * size) % (2 * size);
    return texelFetch(u_heights, min(cell, 2 * size - 1 - cell), 0).r;
}

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    float here = texelFetch(u_heights, cell, 0).r;
    float near = mirrored(cell - u_apart), next = mirrored(cell + u_apart);
    float far = mirrored(cell - 2 * u_apart), last = mirrored(cell + 2 * u_apart);
    out_height_m = u_weights.x * here + (u_weights.y * (near + next) + u_weights.z * (far + last));
}
