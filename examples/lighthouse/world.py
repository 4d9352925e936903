"""An environment of one's own: a small adventure in Python, which knows nothing of agents."""

from __future__ import annotations

EXITS = {
    "Beach": {"up": "Path", "north": "Cave"},
    "Path": {"down": "Beach", "up": "Lighthouse"},
    "Cave": {"south": "Beach"},
    "Lighthouse": {"down": "Path"},
}
PROSE = {
    "Beach": "Waves roll in. A cave opens to the north, and a path leads up.",
    "Path": "The path winds between rocks, up to the lighthouse and down to the beach.",
    "Cave": "A low cave. The beach is to the south.",
    "Lighthouse": "The great lamp is dark. It needs oil. The path leads down.",
}
FULL_SCORE = 10


class Lighthouse:
    """Find the oil, and light the lamp with it."""

    def reset(self, *, seed: int | None = None) -> tuple[str, dict[str, object]]:
        """Begin; nothing here is left to chance."""
        self.room, self.score, self.over = "Beach", 0, False
        self.carried: set[str] = set()
        return f"The Lighthouse\n\n{self._look()}", {"room": self.room, "max_score": FULL_SCORE}

    def step(self, command: str) -> tuple[str, float, bool, bool, dict[str, object]]:
        """Play one command: the reply, what the score gains, and whether it is over."""
        before = self.score
        text = self._reply(command.lower().strip())
        told: dict[str, object] = {"room": self.room, "score": self.score, "won": self.over}
        return text, self.score - before, self.over, False, told

    def _reply(self, command: str) -> str:
        verb, _, noun = command.partition(" ")
        if (way := noun if verb == "go" else command) in EXITS[self.room]:
            self.room = EXITS[self.room][way]
            return self._look()
        if command in ("look", "l"):
            return self._look()
        if command in ("inventory", "i"):
            return "You are carrying: " + (", ".join(sorted(self.carried)) or "nothing") + "."
        if verb in ("take", "get"):
            return self._take()
        if noun.endswith("lamp") and verb in ("light", "fill", "turn"):
            return self._light()
        return "You can't go that way." if verb == "go" else "I don't understand that."

    def _take(self) -> str:
        if self.room != "Cave" or "can of oil" in self.carried:
            return "There is nothing to take."
        self.carried.add("can of oil")
        self.score += 3
        return "Taken."

    def _light(self) -> str:
        if self.room != "Lighthouse":
            return "There is no lamp here."
        if "can of oil" not in self.carried:
            return "The lamp has no oil."
        self.score, self.over = FULL_SCORE, True
        return "You fill the lamp and light it. Far out, a ship turns.\n\n*** You have won ***"

    def _look(self) -> str:
        oil = self.room == "Cave" and "can of oil" not in self.carried
        there = "\n\nThere is a can of oil here." if oil else ""
        return f"{self.room}\n{PROSE[self.room]}{there}"
