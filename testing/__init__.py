"""What stands in for models and oracles: a fake model server, and oracles that know or make it up.

It ships, because whoever writes parts of his own wants to try them without a model.
"""
