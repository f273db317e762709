"""Sun, sky light, shadows, exposure and tone."""
