"""The pipeline: runs steps in order, remembers their results, and works out masks of what they leave."""
