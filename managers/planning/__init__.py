"""Goals, what stands in their way, plans, objectives and issues."""
