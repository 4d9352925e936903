"""What a graph file says: merged sheets, code by name, trust, models and stories."""
