// What:   the integer hash of lattice cells, and how its bits become numbers.
// Use:    uint h = hash_cell(cell, 2, u_start);  float n = hash_signed(h);
// Range:  hash_unit [0, 1), hash_signed [-1, 1), both exact; hash_below 0 ... count - 1
// Source: C. Wellons, "Prospecting for hash functions" (2018), the low-bias 32-bit function; 2^32 over the golden ratio
// Twin:   app/fellview/noise/hash.py

const uint GOLDEN = 0x9E3779B9u;

uint hash_mix(uint h) {
    h ^= h >> 16;
    h *= 0x7FEB352Du;
    h ^= h >> 15;
    h *= 0x846CA68Bu;
    return h ^ (h >> 16);
}

// The hash carried on by one more coordinate.
uint hash_chain(uint h, int coordinate) {
    return hash_mix(h ^ uint(coordinate));
}

// The hash of a cell from its first `dimension` coordinates; `started` is start(seed), which the CPU hands over.
uint hash_cell(ivec4 cell, int dimension, uint started) {
    uint h = hash_chain(started, cell.x);
    if (dimension > 1) {
        h = hash_chain(h, cell.y);
    }
    if (dimension > 2) {
        h = hash_chain(h, cell.z);
    }
    if (dimension > 3) { // time is the fourth
        h = hash_chain(h, cell.w);
    }
    return h;
}

// The k-th further hash of the same cell.
uint hash_more(uint h, uint k) {
    return hash_mix(h + k * GOLDEN);
}

// Through int: 24 bits fit, and a vector unit converts int faster than uint.
float hash_unit(uint h) {
    return float(int(h >> 8)) * exp2(-24.0);
}

float hash_signed(uint h) {
    return float(int(h >> 8)) * exp2(-23.0) - 1.0;
}

int hash_below(uint h, uint count) {
    return int(((h >> 16) * count) >> 16);
}
