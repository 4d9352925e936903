"""Orders: what a text speaks of doing, and what it tells to do, step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from managers.core.option import Draft
from managers.core.scene import Scene
from managers.core.skill import Skill
from managers.language.actions import classes, parse, table
from managers.language.cues import IT, Cue, cues_in, orders_in
from managers.language.lexicon import head_of, words_of
from managers.world.facts import Blackboard, Fact
from managers.world.objects import INVENTORY, GameObject
from managers.world.transition import Transition

CUE = "cue"
"""Fact: what the text speaks of doing (see `language.cues`); value: what it was about."""
ORDER = "order"
"""Fact: what a text tells to do next (see `language.cues`); value `done`: it was."""
_MOST_CUES, _MOST_ORDERS = 24, 80
_DONE = "done"
"""The value of an order that was followed, or is about what is not where it should be."""
_WITH_TOOL = 1.5
"""How much more it is worth with what the text was about, or with a blade."""
_LATER = 0.7
"""How much less an order is worth for each one before it that can be followed, too."""
_UNSEEN = 0.6
"""How likely that works which is about something nobody has seen yet."""
_SOUGHT = 0.4
"""What it is worth, beside an order, to open something in which what it is about may be."""


class OrdersSkill(Skill):
    """Tries what the text speaks of, and follows what it tells to do."""

    def notice(self, board: Blackboard, transition: Transition) -> Blackboard:
        """What the text speaks of doing and tells to do, and which orders were followed."""
        return _with_orders(_with_cues(board, transition), transition)

    def offer(self, scene: Scene) -> Iterator[Draft]:
        """What the text spoke of with things at hand, and the next of what it tells to do."""
        yield from _cued(scene)
        yield from _ordered(scene)


def _cued(scene: Scene) -> Iterator[Draft]:
    """What the text has spoken of doing with things that are at hand."""
    things = (*scene.around, *scene.held)
    done = {fact.subject for fact in scene.board.of(ORDER) if fact.value}
    for fact in scene.board.of(CUE):
        if fact.subject in done:
            continue
        cue, about = Cue.of(fact.subject), fact.value
        thing, second = _meant(cue.noun, things), _meant(cue.second, things)
        if thing is None or (cue.second and second is None):
            continue
        command = f"{cue.verb} {scene.called(thing)}"
        place = INVENTORY if thing in scene.held and second is None else ""
        # What is carried and could be meant: what the text was about, what serves the verb.
        tools = [one for one in scene.held if second is None and not one.has("readable")]
        named = _meant(about, tools)
        for tool in tools:
            if tool is not thing and (tool is named or _serves(tool, cue.verb)):
                by_tool = f"{command} with {scene.called(tool)}"
                yield Draft(scene.here, by_tool, "cue", thing.name, scale=_WITH_TOOL, lasting=True)
        if second is not None:
            command += f" {cue.preposition} {scene.called(second)}"
        yield Draft(scene.here, command, "cue", thing.name, place=place, lasting=True)


def _ordered(scene: Scene) -> Iterator[Draft]:
    """The next of what a text tells to do, and what comes after it where that cannot be done yet.

    A way is gone only when nothing is left before it, and so is something named that nobody has
    seen: where the text's own directions lead, or with a verb of the text's own. A text with
    directions speaks of what is at their end, any other of what was seen.
    """
    facts = scene.board.of(ORDER)
    leading = {fact.turn for fact in facts if _is_way(fact)}
    undone = [fact for fact in facts if not fact.value]
    told = [Cue.of(fact.subject) for fact in undone]
    first = {fact.turn: fact for fact in reversed(undone)}
    things = _things(scene, told) if undone else ()
    worth, sought = 1.0, False
    for fact, order in zip(undone, told, strict=True):
        if order.verb == "go":
            if worth == 1.0:
                yield Draft(fact.room, order.noun, "order")
            return
        usual = order.verb in table().words
        led = fact.turn in leading
        if led:
            meant = [one for one in things if one.location in (fact.room, INVENTORY)]
        else:  # What only the words of the text name where it is read is not taken for something.
            meant = [one for one in things if one.id or one.location != fact.room]
        draft = _next(scene, order, meant, things) if usual else None
        sought = sought or draft is None
        if draft is None and fact is first[fact.turn] and (led or not usual):
            command = f"{_understood(scene, order.verb)} {order.noun}"
            draft = Draft(fact.room, command, "order", chance=_UNSEEN)
        if draft is not None and not scene.is_hopeless(draft.command, draft.room):
            yield draft._replace(scale=worth)
            worth *= _LATER
    yield from _seeking(scene, things) if sought else ()


def _meant(name: str, things: Sequence[GameObject]) -> GameObject | None:
    """The thing that goes by the name, or else the first of the same noun."""
    noun, words = head_of(name), set(words_of(name))
    same = [thing for thing in things if noun and thing.noun == noun]
    exact = [thing for thing in same if words.issubset(words_of(thing.name))]
    return next(iter(exact or same), None)


def _serves(thing: GameObject, verb: str) -> bool:
    """It is what the verb is done with."""
    return table().tools.get(verb) in (thing.noun, *thing.classes)


def _seeking(scene: Scene, things: Sequence[GameObject]) -> Iterator[Draft]:
    """What an order is about may be carried from the beginning, or in what is still closed."""
    if scene.world.data["listed"] < 0 and not scene.attempts.rows_of("inventory"):
        yield Draft(scene.here, "inventory", "order", scale=_SOUGHT)
    for one in things:
        closed, perhaps = one.is_("open") is False, one.is_("open") is None and one.has("openable")
        if one.id and (closed or perhaps) and not one.has("door"):
            command, room = f"open {scene.called(one)}", one.location
            untried = not scene.attempts.of(room, command).times
            if untried or scene.changed_since_failure(command, room):
                scale = _SOUGHT if closed else _SOUGHT / 2
                yield Draft(room, command, "order", one.name, scale=scale)


def _next(
    scene: Scene, order: Cue, meant: Sequence[GameObject], things: Sequence[GameObject]
) -> Draft | None:
    """The next command towards an order; None where something that it takes was never seen."""
    verb = _understood(scene, order.verb)
    found, second = _named(order.noun, meant), _named(order.second, meant)
    takes_tool = order.verb in table().tools
    if second is None and takes_tool:
        second = next((one for one in things if _serves(one, order.verb)), None)
    if found is None or (second is None and (order.second or takes_tool)):
        return None
    tool = second if second is not None and order.preposition in ("", "with") else None
    needed = []
    if parse(verb).has("carried") or (tool and not found.has("fixed")):
        needed.append(found)
    if tool and "takeable" in tool.classes:
        needed.append(tool)
    lacking = next((one for one in needed if one.location != INVENTORY), None)
    if lacking is not None:
        return _fetching(scene, lacking)
    command = f"{verb} {order.noun}"
    if second is not None:
        command += f" {order.preposition or 'with'} {scene.called(second)}"
    places = (one.location for one in (found, second) if one and one.location != INVENTORY)
    return Draft(next(places, scene.here), command, "order", found.name)


def _fetching(scene: Scene, one: GameObject) -> Draft:
    """The first deed towards having a thing."""
    step = scene.first_deed(one.id) if one.id else None
    if step is not None:
        return Draft(step.room or scene.here, step.command, "order", one.name)
    return Draft(one.location, f"take {scene.called(one)}", "order", one.name)


def _named(name: str, things: Sequence[GameObject]) -> GameObject | None:
    """What goes by a name, all of whose words it has, or which has none beside them."""
    noun, words = head_of(name), set(words_of(name))
    named = [(one, set(words_of(one.name))) for one in things if one.noun == noun]
    full = [one for one, its in named if words <= its]
    near = [one for one, its in named if its <= words]
    return next((one for one in (*full, *near) if one.id), full[0] if full else None)


def _things(scene: Scene, told: Sequence[Cue]) -> list[GameObject]:
    """All things that can be reached, in the rooms where they are: in hand first, then the nearest.

    Last comes what only the prose speaks of, if it is what an order names or is done with.
    """
    nouns = {head_of(name) for order in told for name in (order.noun, order.second)}
    tools = {table().tools[order.verb] for order in told if order.verb in table().tools}
    carried = ((INVENTORY, one) for one in scene.world.at(INVENTORY))
    near = sorted(scene.seen, key=lambda one: (not one[1].id, scene.distances[one[0]]))
    return [
        replace(one, location=room)
        for room, one in (*carried, *near)
        if one.id or one.noun in nouns or not tools.isdisjoint((one.noun, *one.classes))
    ]


def _understood(scene: Scene, verb: str) -> str:
    """The verb, or another word for it if the game has said that it does not know it."""
    words = table().words
    others = (word for word, meaning in words.items() if meaning == words.get(verb))
    return next((word for word in (verb, *others) if not scene.is_unknown(word)), verb)


# -- what is noticed -------------------------------------------------------------


def _with_cues(board: Blackboard, transition: Transition) -> Blackboard:
    """What the text speaks of doing, each with what it was about; `it` is that.

    A game that asks for the rest of a command speaks of nothing but the command.
    """
    if transition.reason == "incomplete":
        return board
    about = transition.action.object
    found = [
        transition.fact((cue._replace(noun=about) if cue.noun == IT else cue).text, value=about)
        for cue in cues_in(transition.text)
        if about or cue.noun != IT
    ]
    return board.with_(CUE, found, _MOST_CUES)


def _with_orders(board: Blackboard, transition: Transition) -> Blackboard:
    """What a text tells to do, in its order, until it is done; a text is taken up once."""
    board = _obeyed(board, transition)
    said = [order.text for order in orders_in(transition.text)]
    if transition.failed or board.subjects(ORDER).issuperset(said):
        return board
    here = transition.after.here
    return board.with_(ORDER, [transition.fact(order, room=here) for order in said], _MOST_ORDERS)


def _obeyed(board: Blackboard, transition: Transition) -> Blackboard:
    """With what was done marked; what follows in the same text goes on from here."""
    facts = list(board.of(ORDER))
    vain = transition.reason in ("not_here", "unknown_word")
    refused = transition.failed and transition.reason != "already" and not vain
    if not facts or refused or transition.reading.question:
        return board
    left = [at for at, fact in enumerate(facts) if not fact.value]
    # Of the ways only the first may be gone now.
    later = [at for at in left if _is_way(facts[at])][1:]
    now = (facts[at] for at in left if at not in later)
    done = next((fact for fact in now if _is_obeyed(fact, transition)), None)
    if done is None:
        return board
    led = any(one.turn == done.turn and _is_way(one) for one in facts)
    if vain and not (led and done.room == transition.start):
        return board
    facts[facts.index(done)] = done._replace(value=_DONE)
    here = transition.after.here
    facts = [one._replace(room=here) if one.turn == done.turn else one for one in facts]
    return board.without(ORDER, lambda _: True).with_(ORDER, facts, _MOST_ORDERS)


def _is_way(fact: Fact) -> bool:
    """The order is to go somewhere."""
    return Cue.of(fact.subject).verb == "go"


def _is_obeyed(fact: Fact, transition: Transition) -> bool:
    """The command did what was told, in whatever words."""
    order, action = Cue.of(fact.subject), transition.action
    if order.verb == "go":
        return action.direction == order.noun and transition.start == fact.room
    meant, noun = parse(f"{order.verb} {order.noun}"), head_of(order.noun)
    if meant.verb == "take" and noun in transition.taken:
        return True
    # The names share the noun, and one says no more than the other.
    told, said = set(words_of(order.noun)), set(words_of(action.object))
    same = head_of(action.object) == noun and (told <= said or said <= told)
    if action.verb != meant.verb or not same:
        return False
    tool = table().tools.get(order.verb)
    used = (head_of(action.second), *classes(action.second))
    return action.head == order.verb or tool is None or tool in used
