"""Where a photographer would stand: places over the land, what is seen from each, and the best of them. numpy only."""
