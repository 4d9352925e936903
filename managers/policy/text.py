"""Options that the text suggests: what it speaks of doing, tells to do, asks for, or asks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from managers.language.actions import classes, parse, table
from managers.language.cues import Cue
from managers.language.lexicon import head_of, words_of
from managers.learning.noticing.asking import POSTURE, SPOKEN, Request, is_way
from managers.planning.goals import Goal
from managers.planning.world_model import backward_chain
from managers.policy.option import REPLY, Draft
from managers.policy.scene import Scene
from managers.world.objects import INVENTORY, GameObject

_WITH_TOOL = 1.5
"""How much more it is worth with what the text was about, or with a blade."""
_OVERCOME = frozenset({"locked", "closed", "not_held"})
"""Reasons for a failure that an action may have removed."""
_ELSEWHERE = 0.5
"""How likely what was asked for and failed there works in another room."""
_ASKED = 1.4
_SPOKEN = 5.0
"""How much likelier it is to work what the text has spoken of."""
_ALONE = 0.5
"""How likely it is that a word alone does something here."""
_SURELY_THERE = 0.9
_PERHAPS = 0.5
"""How likely what was refused works after something else than what was asked for."""
_LATER = 0.7
"""How much less an order is worth for each one before it that can be followed, too."""
_UNSEEN = 0.6
"""How likely that works which is about something nobody has seen yet."""
_SOUGHT = 0.4
"""What it is worth, beside an order, to open something in which what it is about may be."""


def cued(scene: Scene) -> Iterator[Draft]:
    """What the text has spoken of doing with things that are at hand."""
    if not scene.stance.faculties.cues:
        return
    things = (*scene.around, *scene.held)
    done = {fact.subject for fact in scene.board.of("order") if fact.value}
    for fact in scene.board.of("cue"):
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
                yield Draft(scene.here, by_tool, "cue", thing.name, scale=_WITH_TOOL)
        if second is not None:
            command += f" {cue.preposition} {scene.called(second)}"
        yield Draft(scene.here, command, "cue", thing.name, place=place)


def _meant(name: str, things: Sequence[GameObject]) -> GameObject | None:
    """The thing that goes by the name, or else the first of the same noun."""
    noun, words = head_of(name), set(words_of(name))
    same = [thing for thing in things if noun and thing.noun == noun]
    exact = [thing for thing in same if words.issubset(words_of(thing.name))]
    return next(iter(exact or same), None)


def overcome(scene: Scene) -> Iterator[Draft]:
    """What failed here before an action has changed what it failed for."""
    changed = scene.knowledge.changed(scene.here)
    for failure in scene.attempts.failures_at(scene.here):
        tells = parse(failure.command).has("tells")
        again = scene.attempts.of(scene.here, failure.command).turn > failure.turn
        if failure.reason not in _OVERCOME or failure.turn >= changed or tells or again:
            continue
        if scene.changed_since_failure(failure.command, scene.here):
            yield Draft(scene.here, failure.command, "retry")


def wanted(scene: Scene) -> Iterator[Draft]:
    """To give somebody what they have an eye on."""
    here = {thing.noun for thing in scene.around}
    for one in scene.board.of("wanted"):
        thing, who = one.subject, one.value
        if thing in scene.held_nouns and who in here:
            yield Draft(scene.here, f"give {thing} to {who}", "give", thing, scale=2, chance=3)


def asked(scene: Scene) -> Iterator[Draft]:
    """What the game asks for before it lets the agent do something, and then that."""
    for request in scene.requests:
        if request.done:
            for room, blocked in request.blocked:
                parts = parse(blocked)
                handed = parts.verb in ("put", "give", "drop") and head_of(parts.object)
                if not handed or handed in scene.held_nouns:
                    yield Draft(room, blocked, "retry")
        elif not scene.undoes(request.command):
            yield from _open_request(scene, request)
    if scene.world.inside:
        for command in POSTURE:
            yield Draft(scene.here, command, "prepare", chance=0.6, scale=0.7)


def _open_request(scene: Scene, request: Request) -> Iterator[Draft]:
    for room, blocked in request.blocked:
        if scene.knowledge.changed(room) > scene.attempts.of(room, blocked).turn:
            yield Draft(room, blocked, "retry", chance=_PERHAPS)
    room, blocked = request.blocked[0]
    purpose = f"the game asks for it before `{blocked}`"
    yield Draft(room, request.command, "prepare", purpose=purpose, scale=_ASKED)
    if request.tries and request.command.startswith("get "):
        for command in POSTURE:
            yield Draft(scene.here, command, "prepare", chance=_ELSEWHERE)
    if request.tries and room != scene.here and _is_possible_here(scene, request.command):
        yield Draft(scene.here, request.command, "prepare", chance=_ELSEWHERE)


def _is_possible_here(scene: Scene, command: str) -> bool:
    """What the command names is at hand, or known nowhere and no part of another room."""
    name = parse(command).object
    noun = head_of(name)
    if noun in scene.held_nouns or any(thing.noun == noun for thing in scene.around):
        return True
    fixture = classes(name) & {"fixed", "scenery", "door", "furniture"}
    return not fixture and (not name or scene.world.resolve(name) is None)


def answers(scene: Scene) -> Iterator[Draft]:
    """Replies to a question of the game."""
    for reply in scene.board.of("reply"):
        yield Draft(scene.here, reply.subject, REPLY, scale=4)


def unusual(scene: Scene) -> Iterator[Draft]:
    """What the story's own grammar allows beside the usual, most of all what it has spoken of."""
    for fact in scene.board.of("command"):
        chance = _SPOKEN if fact.value == SPOKEN else 1.0
        if "{" not in fact.subject:
            yield Draft(scene.here, fact.subject, "unusual", chance=chance * _ALONE)
            continue
        living = "{somebody}" in fact.subject
        for thing in (*scene.around, *scene.held):
            fits = not living or thing.name in scene.knowledge.living
            if fits and thing.id and thing.confidence >= _SURELY_THERE:
                name = scene.called(thing)
                command = fact.subject.format(name, somebody=name)
                place = INVENTORY if thing in scene.held else ""
                yield Draft(scene.here, command, "unusual", thing.name, chance=chance, place=place)


def _serves(thing: GameObject, verb: str) -> bool:
    """It is what the verb is done with."""
    return table().tools.get(verb) in (thing.noun, *thing.classes)


def ordered(scene: Scene) -> Iterator[Draft]:
    """The next of what a text tells to do, and what comes after it where that cannot be done yet.

    A way is gone only when nothing is left before it, and so is something named that nobody has
    seen: where the text's own directions lead, or with a verb of the text's own. A text with
    directions speaks of what is at their end, any other of what was seen.
    """
    facts = scene.board.of("order") if scene.stance.faculties.cues else ()
    leading = {fact.turn for fact in facts if is_way(fact)}
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
    goal = Goal(kind="have", thing=one.id)
    for step in backward_chain(goal, scene.world) if one.id else ():
        if step.command:
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
