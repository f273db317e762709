"""What weather and water take from the land: one file a kind, listed by `registry`; and the rock that they wear."""
