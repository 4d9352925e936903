"""The game layer: the only package that imports Jericho."""
