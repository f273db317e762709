"""The window and the viewer in it."""
