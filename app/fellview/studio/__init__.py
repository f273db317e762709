"""What a person keeps and compares: plain data and functions, without a display."""
