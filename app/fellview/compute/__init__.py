"""Computing terrain apart from the drawing thread."""
