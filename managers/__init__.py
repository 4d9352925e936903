"""What the agent knows: world, map, objectives, candidates. No model and no game is touched here."""
