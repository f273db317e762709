"""Drawing: one pass a file; `renderer.py` puts them together."""
