"""What the nodes of a turn are made of: briefings, questions, proposals, ends."""
