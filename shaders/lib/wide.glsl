// What:   numbers of twice float's precision, as the unevaluated sum of two floats.
// Use:    vec2 q = wide_add(p, wide_times(u_warp, s));  q.x is q rounded to float
// Range:  48 bits, so long as nothing overflows
// Source: T. J. Dekker, "A floating-point technique for extending the available precision", 1971; D. E. Knuth's sum

uniform int u_nothing; // 0; hides a rounded result from compilers that would simplify (a + b) - a to b

float rounded(float a) {
    return intBitsToFloat(floatBitsToInt(a) ^ u_nothing);
}

vec2 wide_settled(float high, float low) {
    float sum = rounded(high + low);
    return vec2(sum, low - rounded(sum - high));
}

vec2 wide_add(vec2 a, vec2 b) {
    float sum = rounded(a.x + b.x);
    float part = rounded(sum - a.x);
    float lost = rounded(a.x - rounded(sum - part)) + rounded(b.x - part);
    return wide_settled(sum, lost + (a.y + b.y));
}

vec2 wide_times(vec2 a, vec2 b) {
    float product = rounded(a.x * b.x);
    // halves of 12 bits, whose products are exact
    float a_high = intBitsToFloat(floatBitsToInt(a.x) & ~0xFFF);
    float b_high = intBitsToFloat(floatBitsToInt(b.x) & ~0xFFF);
    float a_low = a.x - a_high;
    float b_low = b.x - b_high;
    float lost = rounded(a_high * b_high - product);
    lost = rounded(rounded(lost + a_high * b_low) + a_low * b_high) + a_low * b_low;
    return wide_settled(product, lost + (a.x * b.y + a.y * b.x));
}
