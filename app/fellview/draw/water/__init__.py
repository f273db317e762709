"""Sea, lakes, rivers and their waves."""
