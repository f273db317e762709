"""The land's surface: its height texture, level of detail, culling, and the land that goes on around it."""
