"""The terrain steps, one a file, and the pipeline that runs and remembers them."""
