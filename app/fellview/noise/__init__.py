"""Noise: one file a family; `registry.py` lists them."""
