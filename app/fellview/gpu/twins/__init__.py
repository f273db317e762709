"""The steps' twins on the GPU: one file a step, named after its key."""
