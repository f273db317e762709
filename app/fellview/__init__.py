"""Fellview: an interactive viewer for procedural terrain."""
