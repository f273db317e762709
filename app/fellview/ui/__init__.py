"""The panel, built from the parameter declarations with Dear ImGui; it emits plain draw data and owns no OpenGL."""
