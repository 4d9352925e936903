"""Options: what could be done, and the one value that ranks it."""
