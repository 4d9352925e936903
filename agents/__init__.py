"""The roles: what is asked each turn, answered by rules or by a language model."""
