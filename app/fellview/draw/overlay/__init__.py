"""What is drawn over a finished picture: marks, legends, maps, the panel."""
