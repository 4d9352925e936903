"""The extractor that reads replies by rules of English and of interactive fiction."""

from __future__ import annotations

import re
from itertools import islice

from agents.briefing import Briefing
from environments.game import Facts, Observation, Words
from environments.scoring import tells_of_death
from managers.language.actions import DIRECTIONS, Action, as_understood, parse, table
from managers.language.effects import changes_in
from managers.language.layout import (
    Layout,
    exits_in,
    is_about_session,
    sentences,
    shown_title,
    split_arrival,
    split_reply,
    split_unnamed,
    take_scores,
    told,
)
from managers.language.lexicon import classes_of, head_of
from managers.language.mentions import mentions_in
from managers.language.outcomes import (
    change_in,
    choices_in,
    denies,
    item_replies,
    question_in,
    refusal_in,
    unknown_words_in,
)
from managers.language.reading import (
    ActionResult,
    ObjectMention,
    RoomView,
    TurnExtraction,
)
from managers.world.map import Map

_KILLED = re.compile(
    r"gotten yourself killed|you have been killed|you are (?:quite )?dead"
    r"|want me to (?:try )?(?:to )?(?:reincarnat|resurrect|revive)",
    re.I,
)
_AFTERLIFE = re.compile(r"(?<!\*)\*{2,}[^*\n]{3,80}\*{2,}")
"""Behind this stands where one finds oneself after a death."""
_DARK = re.compile(
    r"pitch[- ](?:black|dark)|too dark to see|(?:it is|it's) (?:now )?(?:completely )?dark\b|"
    r"moved into a dark place|can't see a thing",
    re.I,
)
_BANNER = re.compile(
    r"^\([^)]*\)$|^\*\*\*|would you like to restart|you scored \d|"
    r"copyright|\(c\)|all rights reserved|registered trademark|release \d|serial n|"
    r"inform v|library \d|interpreter \d",
    re.I,
)
_LOOKING = frozenset({"", "look", "go", "enter", "leave", "climb", "jump", "stand", "sit", "lie"})
_POSTURES = frozenset({"jump", "stand", "sit", "lie"})
"""`You are on the bed` is no other place."""
_TOLD_OF_OTHERS = frozenset({"refused", "blocked", "fixed", "already", "needs_tool", "too_full"})
_MERE_LOOKS = frozenset({"examine", "look at", "inspect", "describe"})
"""What one does not need to open anything for: that it is closed is what they tell."""
_MOST_NEWS = 6
_LONGEST_NEWS = 200
_LISTED = 0.9
"""Above this confidence a list names a thing."""


class RuleExtractor:
    """Reads literary prose, stock replies and listings without a model."""

    def extract(self, briefing: Briefing) -> TurnExtraction:
        """The reading of the last reply; facts of the object tree make it exact."""
        observation = briefing.observation
        text, score = take_scores(observation.text)
        action = as_understood(briefing.command, text)
        command = parse(action)
        died = tells_of_death(text) or bool(_KILLED.search(text))
        shown = _AFTERLIFE.split(text)[-1] if died else text
        may_look = command.verb in _LOOKING or not _only_tells(command)
        layout = split_reply(shown, observation.room, guess=may_look)
        if not observation.room and (not action or (may_look and not layout.title)):
            layout = _of_unnamed(layout, command, briefing.map)
        # `It is dark inside` is said of what one looks into.
        of_thing = _only_tells(command) and bool(command.object)
        room = _room(layout, observation, "" if of_thing else text)
        # What is said of the program, and not of the story, describes nothing in it.
        session = command.has("meta") or is_about_session(layout.before)
        story = layout._replace(before="") if session else layout
        mentions, listed, understood = mentions_in(story, command, observation.words)
        if of_thing:  # `There is a lamp here`, says the description of the lamp in one's hand.
            mentions = tuple(one for one in mentions if not _is_itself(one, command))
        return TurnExtraction(
            turn=briefing.turn,
            room=room,
            objects_mentioned=(*_facts(observation.facts), *mentions),
            state_changes=tuple(
                changes_in(
                    command,
                    story.before or story.after,
                    f"{story.before}\n{story.after}",
                    scored=score > 0,
                )
            ),
            action_result=_result(action, command, layout, room, scored=score > 0),
            new_information=_news(layout, understood),
            died=died,
            score_change=score,
            unknown_words=(
                *unknown_words_in(text, briefing.command),
                *_unknown_to(observation.words),
            ),
            question="key" if observation.awaiting == "key" else question_in(text),
            choices=choices_in(text),
            listed=(*(("inventory",) if observation.facts else ()), *listed),
        )


def _is_itself(mention: ObjectMention, command: Action) -> bool:
    """It lists the thing as if it lay here."""
    lies_here = mention.location == "here" and mention.confidence > _LISTED
    return lies_here and head_of(mention.name) == head_of(command.object)


def _unknown_to(words: Words | None) -> tuple[str, ...]:
    """The usual verbs and directions that are not among the words a parser knows."""
    if words is None or not words.known:
        return ()
    known = frozenset(words.known)
    usual = (*table().words, *DIRECTIONS)
    return tuple(word for word in usual if word[: words.letters] not in known)


def _only_tells(command: Action) -> bool:
    """Its reply is a text: what that denies is part of the story."""
    return command.verb in ("", "wait") or command.has("tells") or command.has("speaks")


def _of_unnamed(layout: Layout, command: Action, known: Map) -> Layout:
    """A reply in which no line is known to name the room, by what it says of where one is."""
    if command.verb in _POSTURES or known.names_rooms:
        return layout
    found = split_unnamed(layout)
    arrives = bool(command.direction and known.here)
    if found.unnamed or not arrives or refusal_in(layout.before) or denies(layout.before):
        return found
    return split_arrival(layout)


def _room(layout: Layout, observation: Observation, text: str) -> RoomView | None:
    dark = bool(_DARK.search(text)) and not layout.description
    title = shown_title(layout.title)
    dark = dark or bool(layout.title and not title)
    shown = shown_title(observation.room)
    if observation.facts and observation.facts.room:
        title = observation.facts.room.name
    elif not layout.title and not dark:
        return None
    return RoomView(
        title=title or shown,
        description="" if dark else layout.description,
        exits=exits_in(f"{layout.description}\n{layout.after}") if not dark else (),
        dark=dark,
        inside=layout.inside,
        unnamed=layout.unnamed,
    )


def _facts(facts: Facts | None) -> list[ObjectMention]:
    if facts is None:
        return []
    held = [thing for thing in facts.inventory if thing.name]
    carried = {thing.id for thing in held}
    seen = [thing for thing in facts.visible if thing.name and thing.id not in carried]
    return [
        *(
            ObjectMention(name=thing.name, location="inventory", properties=classes_of(thing.name))
            for thing in held
        ),
        *(ObjectMention(name=thing.name, properties=classes_of(thing.name)) for thing in seen),
    ]


def _result(
    action: str, command: Action, layout: Layout, room: RoomView | None, *, scored: bool
) -> ActionResult:
    """How it went: stock refusals first, then success, then what the circumstances say."""
    reply = layout.before
    each = [change_in(outcome) for _, outcome in item_replies(reply, command.object)]
    if any(each):
        return ActionResult(
            action=action, result="success" if all(each) else "partial", confidence=0.9
        )
    seen = room is not None and not room.dark and bool(layout.title)
    refusal = refusal_in(reply) if reply and not scored else None
    if refusal and _only_describes(refusal.reason, command):
        refusal = None
    if refusal and refusal.reason == "dark" and command.direction:
        return ActionResult(action=action, result="success", reason="dark", confidence=0.7)
    if refusal and not (seen and command.verb in _LOOKING and not command.direction):
        walks = bool(command.direction) or command.verb in _LOOKING
        return ActionResult(
            action=action,
            result="failure",
            reason=refusal.reason if walks or refusal.reason != "no_exit" else "refused",
            prerequisite=refusal.prerequisite,
            confidence=0.8 if refusal.reason == "refused" else 0.9,
        )
    if seen or scored or any(change_in(sentence) for sentence in told(reply)[:3]):
        return ActionResult(action=action, result="success", confidence=0.9)
    into = command.direction or (layout.title and not command.has("stays"))
    if room is not None and room.dark and into:
        return ActionResult(action=action, result="success", reason="dark", confidence=0.7)
    return _supposed(action, command, reply)


def _only_describes(reason: str, command: Action) -> bool:
    """What sounds like a refusal says how something is, or what the command has made of it."""
    if command.verb == "tie" and reason == "fixed":
        return True
    if command.head in _MERE_LOOKS and reason in ("closed", "locked"):
        return True
    return _only_tells(command) and reason in _TOLD_OF_OTHERS


def _supposed(action: str, command: Action, reply: str) -> ActionResult:
    """No stock reply: whoever walks and sees no room has not moved; a denial is a refusal."""
    if command.direction:
        return ActionResult(action=action, result="failure", reason="no_exit", confidence=0.6)
    if not _only_tells(command) and reply and denies(reply):
        return ActionResult(action=action, result="failure", reason="refused", confidence=0.5)
    return ActionResult(action=action, result="unknown", confidence=0.5)


def _news(layout: Layout, understood: frozenset[str]) -> tuple[str, ...]:
    """Sentences outside the room's description that no rule has understood."""
    parts = [*sentences(layout.before), *sentences(layout.after)]
    news = (part for part in parts if part not in understood and not _is_stock(part))
    return tuple(part[:_LONGEST_NEWS] for part in islice(news, _MOST_NEWS))


def _is_stock(sentence: str) -> bool:
    if len(sentence.split()) < 3:
        return True
    return bool(change_in(sentence) or refusal_in(sentence) or _BANNER.search(sentence))
