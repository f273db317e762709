"""One file an erosion kind: what weather and water take from the land."""
