"""One file a step: its parameters, and what it does to the heights."""
