"""A hidden condition is found out by playing: through the extractor, the learner and reflection."""

from __future__ import annotations

import random

import pytest

from managers.beliefs import SituationUnderstanding
from managers.deliberation import Advice, Deliberation
from managers.reliability import OracleReliability
from managers.transitions import DynamicsModel
from tests.managers.told import Told

SHORE = "Shore\nThe sand ends at the water, and the ford begins.\n"
BARE, HIGH = "The sand lies bare far out.", "The water stands high."
MOON, CLOUDS = "The moon looks out.", "Clouds drift by."
SIGNS = {"sand_is_bare": BARE, "moon_is_out": MOON}
"""What an oracle takes for important, and the words that show it."""


class Narrator:
    """An oracle that suggests variables for what is unexplained and reads them off the text."""

    def advise(self, turn: int, text: str, model: DynamicsModel) -> Advice:
        odd = model.contradictions()
        return Advice(
            turn=turn,
            number=turn,
            deliberation=Deliberation(worth=1.0, price=0.0),
            understanding=SituationUnderstanding(),
            variables=tuple(SIGNS) if odd else (),
            state={n: str(SIGNS[n] in text).lower() for n in model.tracked if n in SIGNS},
        )


@pytest.mark.parametrize("seed", range(3))
def test_an_oracles_variable_is_kept_if_it_explains_and_dropped_if_not(seed: int) -> None:
    """One can dig at low tide only; the moon has nothing to do with it."""
    rng, oracle, tide, sky = random.Random(seed), Narrator(), BARE, CLOUDS
    story = Told(f"{SHORE}\n{tide} {sky}")
    found: list[str] = []
    for turn in range(1, 71):
        model = model_of(story)
        advice = oracle.advise(turn, f"{tide} {sky}", model)
        reply = "You dig up a shell." if tide == BARE else "You can't do that."
        tide, sky = rng.choice((BARE, HIGH)), rng.choice((MOON, CLOUDS))
        story.say("dig", f"{reply}\n\n{tide} {sky}", advice=advice)
        found += news(model, model_of(story))
    assert [one for one in found if one.split()[0] in ("dig", *SIGNS)] == [
        "dig is unexplained",
        "sand_is_bare is on trial",
        "moon_is_out is on trial",
        "sand_is_bare is kept",
        "dig is explained",
        "moon_is_out is dropped",
    ]
    assert model_of(story).tracked == ["sand_is_bare"]
    judged = OracleReliability(story.outlook.reliability)
    assert (judged.variables_suggested, judged.variables_useful) == (2, 1)


@pytest.mark.parametrize("seed", range(3))
def test_without_an_oracle_the_rules_find_a_condition_of_the_world_model(seed: int) -> None:
    """The bell rings only while the hatch is open."""
    rng, is_open = random.Random(seed), False
    story = Told("Loft\nA bell hangs here.\n\nThere is a wooden hatch (which is closed) here.\n")
    found: list[str] = []
    for _ in range(90):
        model = model_of(story)
        if rng.random() < 0.4:
            is_open = not is_open
            verb = "open" if is_open else "close"
            story.say(f"{verb} hatch", f"You {verb} the wooden hatch.")
        else:
            story.say("ring bell", "A clear note." if is_open else "Nothing happens.")
        found += news(model, model_of(story))
    assert "open wooden hatch is kept" in found
    assert "inside something is dropped" in found
    assert "ring bell" not in {one.command for one in model_of(story).contradictions()}
    assert model_of(story).kept == ["open wooden hatch"]


def model_of(story: Told) -> DynamicsModel:
    return DynamicsModel(story.outlook.transitions)


def news(before: DynamicsModel, after: DynamicsModel) -> list[str]:
    """What a turn has changed about contradictions and variables."""
    odd, still = ({one.command for one in m.contradictions()} for m in (before, after))
    return [
        *(f"{command} is unexplained" for command in sorted(still - odd)),
        *(f"{name} is on trial" for name in after.tracked if name not in before.tracked),
        *(f"{name} is kept" for name in after.kept if name not in before.kept),
        *(f"{command} is explained" for command in sorted(odd - still)),
        *(f"{name} is dropped" for name in before.tracked if name not in after.tracked),
    ]
