"""The world: things, rooms and ways, what was tried, facts, and what is supposed."""
