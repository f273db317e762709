"""Land for other programs: for each, files that it takes as they are, and the numbers to type there."""
