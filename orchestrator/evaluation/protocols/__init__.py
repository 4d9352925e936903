"""Named protocols: plans without their games, as TOML files."""
