// What:   a number for a pixel in a frame, another one in the next frame and at the next pixel, so that a mean of
//         frames blends across a seam.
// Use:    float noise = interleaved_gradient_noise(gl_FragCoord.xy, frame);
// Range:  -0.5 ... 0.5
// Source: Jimenez, "Next generation post processing in Call of Duty: Advanced Warfare" (2014)

float interleaved_gradient_noise(vec2 pixel, float frame) {
    pixel += 5.588238 * frame;
    return fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715)))) - 0.5;
}
