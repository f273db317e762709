"""The scene as it is edited: undo, jobs, what is kept on disk."""
