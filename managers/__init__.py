"""What the agent knows: world, objectives, options, beliefs; touches no model and no game."""
