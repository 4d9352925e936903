"""What a model is shown of the situation: facts, sensible commands, the likeliest first."""
