"""Where water runs and where it stands."""
