"""What a story asks before it goes on is answered: yes or no, a number, a posture, which of two."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from orchestrator.api import play

_numbers = count()
_STORY = '''
class Hall:
    """A hall in which nothing is done before the right thing is said."""

    def reset(self, *, seed=None):
        return f"The Grey Hall\\nGrey walls, a lamp.\\n\\n{ASKS}", {"room": "The Grey Hall"}

    def step(self, command):
        heard = command in HEARS
        return "Very well." if heard else INSISTS, int(heard), heard, False, {"won": heard}
'''


@pytest.mark.parametrize(
    ("asks", "insists", "hears"),
    [
        ("Ready to go on, friend? (type YES or NO)", "Please type YES or NO.", ["yes"]),
        ("Restore a saved game? [Y/N]", "Please enter Y or N.", ["yes", "no"]),
        ("Have you got a ticket?", "Have you got a ticket?", ["no"]),
        ("Now:\n\n 1. Go on\n 2. Hear it again\n\nSelect a number:", "No such number.", ["1", "2"]),
        ('He waits.\n1) "A ticket."\n2) "No."\n>', "1) A ticket.\n2) No.\n>", ["2"]),
        ("You sit on a couch.", "You'll have to get up first.", ["get up"]),
        (
            "There is a blue transporter here.",
            "You'll have to get out of the blue transporter first.",
            ["get out of transporter"],
        ),
        (
            "There is a key here.",
            "Which do you mean, the red key or the blue key?",
            ["take blue key", "take red key"],
        ),
        ("Your mouth is full.", "Mmph, say your lips.", ["stand up", "out"]),
        ("[Press any key.]", "[Press any key.]", ["take lamp", "examine lamp"]),
    ],
)
def test_what_is_asked_is_answered(
    asks: str, insists: str, hears: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = f"ASKS, INSISTS, HEARS = {asks!r}, {insists!r}, {hears!r}\n"
    module = f"grey{next(_numbers)}"  # A process imports a module once.
    (tmp_path / f"{module}.py").write_text(told + _STORY, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert play(f"{module}:Hall", seed=1, steps=8, fresh=True)["best_score"] == 1
