"""The steps' twins on the GPU: one file a step, named after its key and, where it is not all of the step, its mode."""
