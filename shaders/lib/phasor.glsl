// What:   the sine of a phase in cycles, by two parabolas bent once, and phases without whole cycles.
// Use:    float s = cycles_sine(cycles_wrapped(phase));
// Range:  cycles_wrapped -1/2 ... 1/2; cycles_sine -1 ... 1, to 0.001
// Twin:   app/fellview/terrain/steps/crags.py, _sine() and _wrapped()

float cycles_sine(float cycles) {
    float s = cycles * (8.0 - 16.0 * abs(cycles));
    return s * (0.775 + 0.225 * abs(s));
}

float cycles_wrapped(float cycles) {
    return cycles - floor(cycles + 0.5);
}
