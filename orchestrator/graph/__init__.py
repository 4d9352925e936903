"""A turn as a graph: read from a file, proved, and built for LangGraph."""
