"""Cameras: where they look, what they point at and how input moves them. All pyrr use is here; no window, no OpenGL."""
