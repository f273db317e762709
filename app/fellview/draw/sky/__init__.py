"""Atmosphere, clouds and the sky behind everything."""
