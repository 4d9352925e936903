"""A run on disk: its directory and record, what can be restored of it, and archives of it."""
