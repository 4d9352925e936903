import pytest

from managers.goals import goal_of


@pytest.mark.parametrize(
    ("text", "aim", "noun", "places", "condition"),
    [
        ("take the brass lamp from L12", "have", "brass lamp", ("L12",), "have brass lamp"),
        ("open the grate in L5 Cove", "open", "grate", ("L5",), "open grate"),
        ("unlock the chest", "unlocked", "chest", (), "unlocked chest"),
        ("explore L7 Hill", "explore", "hill", ("L7",), ""),
        ("light L9 Cellar", "light", "cellar", ("L9",), ""),
        ("deposit the crown in L3", "deposit", "crown", ("L3",), ""),
        ("win", "", "", (), ""),
    ],
)
def test_a_goal_is_read_out_of_an_objective(text, aim, noun, places, condition):
    goal = goal_of(text)
    assert (goal.aim, goal.noun, goal.places, goal.condition) == (aim, noun, places, condition)
