"""A mill with a chest and a lantern, and the yard beside it with a key, told by hand."""

from __future__ import annotations

MILL = """Old Mill
The mill has stood still for a generation. A door leads north and a path goes east.

There is a wooden chest here.
You can see a brass lantern here.
"""
YARD = """Yard
Weeds and a broken cart. The mill is back to the west.

There is an iron key here.
"""
