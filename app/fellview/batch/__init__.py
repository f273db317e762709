"""Many tasks of one kind, in this process, in others on this machine, or on a cluster."""
