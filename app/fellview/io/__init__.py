"""Files in and out: scenes, pictures with their recipes, height maps."""
