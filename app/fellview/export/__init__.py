"""Meshes of the land and maps of its ground as files."""
