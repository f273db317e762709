"""Variants of a scene: along a parameter, over a plane of two, over seeds, by chance, dispersed, mixed.

    from fellview import variants
    for scene in variants.along(fellview.load("highlands"), "erosion.duration", 5, 100, 9): ...

All are recipes, and what makes them is plain data and functions. Chance leaves alone what is `locked`: a set of
parameters' keys and of groups.
"""

from fellview.variants.axes import along, plane, seeds
from fellview.variants.chance import AMOUNT, LOCKED, mix, randomise, some
from fellview.variants.disperse import CANDIDATES, disperse

__all__ = ["AMOUNT", "CANDIDATES", "LOCKED", "along", "disperse", "mix", "plane", "randomise", "seeds", "some"]
