"""What the agent knows: world, map, objectives, candidates; touches no model and no game."""
