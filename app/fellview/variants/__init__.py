"""Variants of a scene, which are recipes like any other; what is locked stays as it is."""

from fellview.variants.randomise import randomise

__all__ = ["randomise"]
