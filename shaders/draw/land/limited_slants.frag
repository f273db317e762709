// What:   slants along the borders that change from place to place by so little that what is moved by them is neither
//         folded over itself nor drawn out long: the mean of the least and the greatest of all that change by no more
//         and have the slants between them.
// Range:  rows and columns as those of border_slants.frag

uniform sampler2D u_slants;
uniform float u_most; // what slants may change by from one place to the next

out float out_slant;

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    float least = 1e30, greatest = -1e30;
    for (int i = 0; i < textureSize(u_slants, 0).x; i++) {
        float slant = texelFetch(u_slants, ivec2(i, here.y), 0).r;
        float change = u_most * float(abs(i - here.x));
        least = min(least, slant + change);
        greatest = max(greatest, slant - change);
    }
    out_slant = 0.5 * (least + greatest);
}
