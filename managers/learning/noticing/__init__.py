"""What a turn adds to the blackboard, and what it takes back: one rule a function."""
