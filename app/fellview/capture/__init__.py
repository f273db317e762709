"""Pictures for files, drawn without a window."""
