"""What covers the land: materials, textures, layers of rock, boulders."""
