"""Groups of parameters that decide how a land looks: they reach the shaders without rerunning any step."""
