"""Meshes of the land, maps of its ground and pages for browsers as files."""
