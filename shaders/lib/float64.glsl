// What:   sums and products of float64 in whole-number arithmetic, rounded as the CPU rounds them, to the last bit.
// Use:    uvec2 q = double_add(p, double_times(factor, s));  int bits = double_to_float_bits(q);
// Range:  (high, low) words of finite numbers; those below 2^-1022 count as 0, results beyond float64 or float are not
//         caught. GLSL 3.30 has no doubles, and pairs of floats, 48 bits wide, are not enough where halves decide.
// Source: IEEE 754, round to nearest, ties to even

const uint SIGN = 0x80000000u;
const uvec2 DOUBLE_ZERO = uvec2(0u);
const uvec2 DOUBLE_ONE = uvec2(0x3FF00000u, 0u);

// 64-bit words are (high, low) as well.
uvec2 word_add(uvec2 a, uvec2 b) {
    uint low = a.y + b.y;
    return uvec2(a.x + b.x + uint(low < a.y), low);
}

uvec2 word_subtract(uvec2 a, uvec2 b) {
    return uvec2(a.x - b.x - uint(a.y < b.y), a.y - b.y);
}

uvec2 word_left(uvec2 a, int count) {
    if (count == 0) {
        return a;
    }
    return count < 32 ? uvec2(a.x << count | a.y >> (32 - count), a.y << count) : uvec2(a.y << (count - 32), 0u);
}

// The last bit stays set where any bit is lost.
uvec2 word_right_sticky(uvec2 a, int count) {
    if (count == 0) {
        return a;
    }
    if (count > 63) {
        return uvec2(0u, uint((a.x | a.y) != 0u));
    }
    uvec2 back = word_left(a, 64 - count);
    uint lost = uint((back.x | back.y) != 0u);
    return count < 32 ? uvec2(a.x >> count, a.x << (32 - count) | a.y >> count | lost)
        : uvec2(0u, a.x >> (count - 32) | lost);
}

// The whole product of two 32-bit words, by halves of 16 bits.
uvec2 word_times(uint a, uint b) {
    uint low = (a & 0xFFFFu) * (b & 0xFFFFu);
    uint middle = (a >> 16) * (b & 0xFFFFu) + (low >> 16);
    uint other = (a & 0xFFFFu) * (b >> 16) + (middle & 0xFFFFu);
    return uvec2((a >> 16) * (b >> 16) + (middle >> 16) + (other >> 16), other << 16 | (low & 0xFFFFu));
}

int double_exponent(uvec2 a) {
    return int(a.x >> 20 & 0x7FFu);
}

// The 53 bits with the leading one, 0 for zero.
uvec2 double_mantissa(uvec2 a) {
    return double_exponent(a) == 0 ? uvec2(0u) : uvec2((a.x & 0xFFFFFu) | 0x100000u, a.y);
}

// The number whose leading one is bit 63 of `mantissa`, whose last bit is sticky.
uvec2 double_rounded(uint sign, int exponent, uvec2 mantissa) {
    const uint BELOW = 0x7FFu; // 11 bits below the last of 53
    uint rest = mantissa.y & BELOW;
    uvec2 kept = uvec2(mantissa.x >> 11, mantissa.x << 21 | mantissa.y >> 11);
    bool up = rest > 0x400u || (rest == 0x400u && (kept.y & 1u) == 1u);
    // the leading one adds 1 to the exponent, and so does a carry out of all ones
    uvec2 number = word_add(word_add(kept, uvec2(0u, uint(up))), uvec2(uint(exponent - 1) << 20, 0u));
    return uvec2(number.x | sign, number.y);
}

uvec2 double_add(uvec2 a, uvec2 b) {
    uvec2 a_size = uvec2(a.x & ~SIGN, a.y);
    uvec2 b_size = uvec2(b.x & ~SIGN, b.y);
    if (b_size.x > a_size.x || (b_size.x == a_size.x && b_size.y > a_size.y)) {
        uvec2 swapped = a;
        a = b;
        b = swapped;
    }
    // leading ones at bit 62, so that the sum has room
    int exponent = double_exponent(a) + 1;
    uvec2 large = word_left(double_mantissa(a), 10);
    uvec2 small = word_right_sticky(word_left(double_mantissa(b), 10), double_exponent(a) - double_exponent(b));
    uvec2 sum = ((a.x ^ b.x) & SIGN) == 0u ? word_add(large, small) : word_subtract(large, small);
    if ((sum.x | sum.y) == 0u) {
        return DOUBLE_ZERO;
    }
    for (int count = 32; count > 0; count /= 2) {
        uvec2 moved = word_left(sum, count);
        if ((count == 32 ? sum.x : sum.x >> (32 - count)) == 0u) {
            sum = moved;
            exponent -= count;
        }
    }
    return double_rounded(a.x & SIGN, exponent, sum);
}

uvec2 double_times(uvec2 a, uvec2 b) {
    if (double_exponent(a) == 0 || double_exponent(b) == 0) {
        return DOUBLE_ZERO;
    }
    // leading ones at bit 63: that of the product is bit 127 or 126 of 128
    uvec2 p = word_left(double_mantissa(a), 11);
    uvec2 q = word_left(double_mantissa(b), 11);
    uvec2 low = word_times(p.y, q.y);
    uvec2 high = word_times(p.x, q.x);
    uvec2 first = word_times(p.x, q.y);
    uvec2 second = word_times(p.y, q.x);
    uvec2 middle = word_add(uvec2(0u, low.x), uvec2(0u, first.y));
    middle = word_add(middle, uvec2(0u, second.y));
    high = word_add(high, uvec2(0u, first.x));
    high = word_add(high, uvec2(0u, second.x));
    high = word_add(high, uvec2(0u, middle.x));
    uint lost = middle.y | low.y;
    int exponent = double_exponent(a) + double_exponent(b) - 1022;
    if ((high.x & SIGN) == 0u) {
        high = word_left(high, 1);
        high.y |= middle.y >> 31;
        lost = middle.y << 1 | low.y;
        exponent -= 1;
    }
    high.y |= uint(lost != 0u);
    return double_rounded((a.x ^ b.x) & SIGN, exponent, high);
}

uvec2 double_from_float(float number) {
    uint bits = floatBitsToUint(number);
    uint exponent = bits >> 23 & 0xFFu;
    uint mantissa = bits & 0x7FFFFFu;
    // 896 = 1023 - 127, the distance of the two exponents' zeros
    return exponent == 0u ? DOUBLE_ZERO
        : uvec2((bits & SIGN) | (exponent + 896u) << 20 | mantissa >> 3, mantissa << 29);
}

// The bits of the nearest float; -0 becomes 0.
int double_to_float_bits(uvec2 a) {
    int exponent = double_exponent(a) - 896;
    if (exponent <= 0) {
        return 0;
    }
    uint kept = uint(exponent) << 23 | (a.x & 0xFFFFFu) << 3 | a.y >> 29;
    uint rest = a.y & 0x1FFFFFFFu; // 29 bits below the last of 24
    bool up = rest > 0x10000000u || (rest == 0x10000000u && (kept & 1u) == 1u);
    return int((kept + uint(up)) | (a.x & SIGN));
}
