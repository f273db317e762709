// What:   a whole number times an irrational constant, as a whole number and a rest.
// Use:    float rest; int whole = times(n, SKEW_2, rest);
// Range:  rest in -1/2 ... 1/2, good to 2^-25 for |n| < 2^20; a plain float product keeps 2^-12 of a cell there
// Source: fixed point: `bits` is the constant modulo 1 in units of 2^-32, `left` what that leaves out, in the same
//         units, `value` the constant as a float. Products modulo 2^32 are the fraction, whatever the sign.

struct Ratio {
    uint bits;
    float left;
    float value;
};

int times(int n, Ratio ratio, out float rest) {
    uint bits = uint(n) * ratio.bits + uint(int(floor(float(n) * ratio.left + 0.5)));
    rest = float(int(bits)) * exp2(-32.0);
    return int(floor(float(n) * ratio.value - rest + 0.5));
}
