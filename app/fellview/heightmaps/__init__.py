"""Height maps as files: one file a format, which reads it, or writes it, or both; `registry.py` lists them."""
