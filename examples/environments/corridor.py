"""A story for `zork play --game corridor:Corridor`; it imports nothing of ours."""


class Corridor:
    """Rooms in a row; whoever comes to the last one has won."""

    def __init__(self, *, length=9):
        self.length = length

    def reset(self, *, seed=None):
        self.at = 0
        return "Room 0\nThe corridor leads east.", {"room": "Room 0", "max_score": 1}

    def step(self, command):
        to = self.at + {"east": 1, "west": -1}.get(command, 0)
        text = "You can't do that."
        if to not in (self.at, -1):
            self.at, text = to, f"Room {to}\nThe corridor leads east and west."
        won = self.at == self.length
        return text, int(won), won, False, {"room": f"Room {self.at}", "won": won}
