"""Looking at runs: frames read from a run, the map's layout, pictures, and a local web page."""
