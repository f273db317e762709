"""What a land is presented with: the slab, the studio around it, the figure that gives the scale."""
