"""OpenGL through moderngl: contexts, shader sources with includes, uniform blocks made from declarations."""
