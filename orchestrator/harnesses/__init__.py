"""Our agent in other people's harnesses, and our stories as their environments."""
