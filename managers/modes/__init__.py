"""Play modes: a statechart of what the agent is about."""
