"""Small pictures of many lands, computed and drawn by a process beside the window's."""
