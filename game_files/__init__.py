"""Story files written for this project, their sources and their catalog."""
