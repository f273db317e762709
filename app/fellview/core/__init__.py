"""Parameter declarations, the height field and lazily compiled kernels; numpy only at import."""
