"""Height maps of other programs: one file a format."""
