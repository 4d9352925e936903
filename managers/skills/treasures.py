"""Treasures: what was taken for points is brought to where putting it down scores."""

from __future__ import annotations

from collections.abc import Iterator

from managers.core.option import Draft
from managers.core.scene import LEFT, Scene
from managers.core.skill import Skill
from managers.language.actions import classes
from managers.language.lexicon import head_of
from managers.world.facts import Blackboard, is_about
from managers.world.objects import treasury
from managers.world.transition import Transition

HOME = "home"
"""Fact: the command with `{}` for a treasure, where a deposit scored."""
TREASURE = "treasure"
"""Fact: the noun of what was taken for points, until it brings nothing at home."""
_MOST = 80


class TreasuresSkill(Skill):
    """Brings treasures home, and looks for where that is."""

    def notice(self, board: Blackboard, transition: Transition) -> Blackboard:
        """What was taken for points, and where a deposit scored."""
        return _with_home(_with_prized(board, transition), transition)

    def offer(self, scene: Scene) -> Iterator[Draft]:
        """To put treasures where a deposit scored, or where one could expect it to score."""
        carried = scene.knowledge.treasures
        home = next(iter(scene.board.of(HOME)), None)
        if home:
            for thing in carried:
                command = home.subject.replace("{}", scene.called(thing))
                yield Draft(home.room, command, "deposit", thing.name, scale=len(carried))
            return
        for room, holder in scene.seen if carried else ():
            if not any("display" in classes(word) for word in holder.name.split()):
                continue
            # Something was put there, and it did not score.
            rows, ending = scene.attempts.at(room), f" {holder.noun}"
            put = [rows[one] for one in rows if one.startswith("put ") and one.endswith(ending)]
            if any(row.get("worked") for row in put):
                continue
            for thing in carried:
                if not scene.attempts.of(room, f"take {thing.noun}").worked:
                    command = f"put {scene.called(thing)} in {holder.noun}"
                    yield Draft(room, command, "put", thing.name, scale=6)

    def tell(self, scene: Scene) -> Iterator[str]:
        """Where treasures score, once a deposit there did."""
        if home := treasury(scene.board):
            yield f"Treasures score in: {scene.map.label(home.room)}"


# -- what is noticed -------------------------------------------------------------


def _with_prized(board: Blackboard, transition: Transition) -> Blackboard:
    """What was taken for points, unless it brought none where treasures do."""
    action, command = transition.action, transition.command
    if transition.scored > 0:
        taken = sorted(transition.taken) if action.verb == "take" else []
        return board.with_(TREASURE, map(transition.fact, taken))
    template = command.replace(action.object, "{}", 1) if action.object else ""
    homes = {(fact.subject, fact.room) for fact in board.of(HOME)}
    vain = not transition.failed and (template, transition.room) in homes
    return board.without(TREASURE, is_about(head_of(action.object))) if vain else board


def _with_home(board: Blackboard, transition: Transition) -> Blackboard:
    """A deposit that scored shows where treasures belong, and that it was one.

    The fact is the command with `{}` for the treasure.
    """
    action, template = transition.action, ""
    if action.verb == "put" and action.second:
        template = f"put {{}} {action.preposition} {action.second}"
    elif action.verb == "drop" and action.object:
        template = "drop {}"
    if not template or transition.scored <= 0:
        return board
    noun = head_of(action.object)
    nouns = dict.fromkeys((noun, noun.removesuffix("s"), *sorted(transition.lost)))
    home = transition.fact(template, room=transition.room)
    board = board.without(HOME, lambda _: True).with_(HOME, [home])
    room = transition.room
    return board.with_(LEFT, [transition.fact(one, room=room, value=HOME) for one in nouns], _MOST)
