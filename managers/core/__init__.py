"""What a turn teaches and what could be done: learner, scene, options, value, choice, reward."""
