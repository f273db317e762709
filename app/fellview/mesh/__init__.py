"""Height field to triangle list: the whole mesh in numpy, for export, notebooks and as the measure of the shaders."""
