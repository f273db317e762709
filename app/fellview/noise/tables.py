"""Tables that the faithful noise kinds share: the 2002 permutation and Microsoft's random numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

RAND_MAX = 0x7FFF
"""Largest number that Microsoft's `rand()` returns."""

# Ken Perlin, "Improving noise", SIGGRAPH 2002: the reference implementation's permutation of 0..255.
PERMUTATION_2002: NDArray[np.uint8] = np.frombuffer(
    bytes.fromhex(
        "97a0895b5a0f830dc95f6035c2e907e18c24671e458e086325f0150a17be0694f778ea4b001ac53e5efcdbcb75230b20"
        "39b12158ed953857ae147d88aba844af4aa547868b301ba64d929ee7536fe57a3cd385e6dc695c29372ef528f4668f36"
        "41193fa101d85049d14c84bbd05912a9c8c4878274bc9f56a4646dc6adba034034d9e2fa7c7b05ca2693767eff5255d4"
        "cfce3be32f103a11b6bd1c2adfb7aad577f898022c9aa346dd99659ba72bac09811627fd13626c6e4f71e0e8b2b97068"
        "daf661e4fb22f2c1eed2900cbfb3a2f1513391ebf90eef6b31c0d61fb5c76a9db854ccb07379322d7f0496fe8aeccd5d"
        "de72431d1848f38d80c34e42d73d9cb4"
    ),
    dtype=np.uint8,
)


def microsoft_rand(seed: int, count: int) -> NDArray[np.int64]:
    """Return the first `count` numbers (0 to `RAND_MAX`) of Microsoft's C `rand()` after `srand(seed)`.

    s ← 214013·s + 2531011 mod 2³²; the number is bits 16 to 30 of s.
    """
    state = seed & 0xFFFFFFFF
    numbers = np.empty(count, np.int64)
    for index in range(count):
        state = (214013 * state + 2531011) & 0xFFFFFFFF
        numbers[index] = state >> 16 & RAND_MAX
    return numbers
