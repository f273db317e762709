"""What a base of noise alone cannot make: one file a landform, its GLSL twin in shaders/kernels/landform/NAME.glsl."""
