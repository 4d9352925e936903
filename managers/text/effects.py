"""What a reply says has changed, given the command that brought it."""

from __future__ import annotations

import re

from managers.extraction import StateChange
from managers.text.commands import Command
from managers.text.lexicon import classes_of, head_of, words_of
from managers.text.nouns import bare
from managers.text.outcomes import change_in, item_replies, sentences

_THING = r"(?:the |your |an? |some )?([\w' -]{2,50}?)"
_STATE_OF_CHANGE = {
    "open": ("open", "true"),
    "close": ("open", "false"),
    "unlock": ("locked", "false"),
    "lock": ("locked", "true"),
    "light": ("lit", "true"),
    "extinguish": ("lit", "false"),
    "wear": ("worn", "true"),
    "remove": ("worn", "false"),
}
_HANDS_OVER = frozenset({"put", "give", "drop", "throw"})
_PLACE_OF_CHANGE = {
    "take": "inventory",
    "drop": "here",
    "throw": "here",
    "tie": "here",
    "eat": "gone",
    "drink": "gone",
}
_SAYS = (
    (
        re.compile(
            rf"\byou (?:\w+ly )?(?:pull |push )?(?:open|opened) {_THING}(?=[.,!]| and\b| to\b| far\b|$)",
            re.I,
        ),
        "open",
        "true",
    ),
    (re.compile(rf"^opening {_THING} reveals", re.I), "open", "true"),
    (
        re.compile(
            rf"^the ([\w' -]{{2,40}}?) (?:\w+ly |swings? |slides? |creaks? |springs? |bursts? |clicks? )?opens?(?=[.,!]| to\b| and\b|$)",
            re.I,
        ),
        "open",
        "true",
    ),
    (
        re.compile(
            rf"^the ([\w' -]{{2,40}}?) (?:swings?|slides?|creaks?|springs?|bursts?|flies) open\b",
            re.I,
        ),
        "open",
        "true",
    ),
    (
        re.compile(rf"\byou (?:\w+ly )?(?:close|shut) {_THING}(?=[.,!]| and\b|$)", re.I),
        "open",
        "false",
    ),
    (
        re.compile(
            r"^the ([\w' -]{2,40}?) (?:\w+ly )?(?:closes|(?:slams|crashes|swings|snaps) (?:shut|closed))\b",
            re.I,
        ),
        "open",
        "false",
    ),
    (
        re.compile(rf"\byou (?:\w+ly )?unlock {_THING}(?=[.,!]| and\b| with\b|$)", re.I),
        "locked",
        "false",
    ),
    (
        re.compile(rf"\byou (?:\w+ly )?lock {_THING}(?=[.,!]| and\b| with\b|$)", re.I),
        "locked",
        "true",
    ),
    (re.compile(rf"\byou (?:switch|turn) {_THING} on\b", re.I), "on", "true"),
    (re.compile(rf"\byou (?:switch|turn) {_THING} off\b", re.I), "on", "false"),
    (
        re.compile(rf"\byou (?:light|ignite) {_THING}(?=[.,!]| and\b| with\b|$)", re.I),
        "lit",
        "true",
    ),
    (
        re.compile(
            rf"\byou (?:extinguish|put out|blow out|douse) {_THING}(?=[.,!]| and\b|$)", re.I
        ),
        "lit",
        "false",
    ),
    (
        re.compile(
            r"^(?:the|your) ([\w' -]{2,40}?) (?:is|are) (?:now )?(?:on|lit|burning)[.!]?$", re.I
        ),
        "on",
        "true",
    ),
    (
        re.compile(
            r"^(?:the|your) ([\w' -]{2,40}?) (?:(?:is|are) (?:now )?(?:off|out|extinguished)|(?:has|have) (?:gone|burned|burnt|run) out|goes out|go out)\b",
            re.I,
        ),
        "on",
        "false",
    ),
    (
        re.compile(rf"\byou (?:put on|don|are now wearing) {_THING}(?=[.,!]|$)", re.I),
        "worn",
        "true",
    ),
    (re.compile(rf"\byou take off {_THING}(?=[.,!]|$)", re.I), "worn", "false"),
    (
        re.compile(
            r"\b(?:steals?|stole|snatch(?:es|ed)|robbed you of|makes off with) (?:the|your) ([\w' -]{2,40}?)(?: from you)?(?=[.,!]|$)",
            re.I,
        ),
        "location",
        "gone",
    ),
    (
        re.compile(
            r"\bthe ([\w' -]{2,30}?) (?:[^.;]{0,40} )?(?:falls?|drops?|slips?|tumbles?|clatters?) (?:to|on|onto) the (?:ground|floor)\b",
            re.I,
        ),
        "location",
        "here",
    ),
    (
        re.compile(
            r"\((?:first )?(?:taking|picking up|you take|getting) (?:the |your )?([\w' -]{2,40}?)(?: first)?\)",
            re.I,
        ),
        "location",
        "inventory",
    ),
    (
        re.compile(r"\((?:first )?opening (?:the |your )?([\w' -]{2,40}?)(?: first)?\)", re.I),
        "open",
        "true",
    ),
    (
        re.compile(
            r"\((?:first )?unlocking (?:the |your )?([\w' -]{2,40}?)(?: first| with .*)?\)", re.I
        ),
        "locked",
        "false",
    ),
    (
        re.compile(
            r"\b(?:gives?|hands?) you (?:the|an?|some) ([\w' -]{2,40}?)(?= to | and |[.,!]|$)", re.I
        ),
        "location",
        "inventory",
    ),
)
_SUPPOSED = frozenset(
    {"take", "drop", "put", "give", "throw", "open", "close", "light", "extinguish", "wear", "tie"}
)
_SUPPOSED_CONFIDENCE = 0.65
_ASIDE = re.compile(r"^\s*\([^)]*\)\s*$", re.M)
_DENIES = re.compile(
    r"\b(?:not|no|nothing|never|nobody|cannot|but|already|unable|fails?|refuses?|too|without|"
    r"before|first|impossible|locked|closed|instead|needs?|must|should|would|could|won't|however|"
    r"hardly|barely|which|what|who|how|why)\b|n't\b|\?",
    re.I,
)
_MOVED = re.compile(
    r"\(?(?:putting|you (?:put|catch|trap|place|insert|slip|set|hang|pour)) (?:the |your )?([\w' -]{2,40}?) (?:in|into|on|onto|inside) (?:the |your )?([\w' -]{2,40}?)(?: to make room)?[.)!]",
    re.I,
)


def changes_said(text: str) -> list[StateChange]:
    """Changes that the sentences themselves name, whatever the command was."""
    found = []
    for sentence in sentences(text):
        for pattern, prop, value in _SAYS:
            match = pattern.search(sentence)
            if match:
                found.append(_state_change(bare(match[1]), prop, value, 0.9))
        for match in _MOVED.finditer(sentence):
            found.append(
                StateChange(object=bare(match[1]), property="location", new_value=bare(match[2]))
            )
    return found


def changes_done(command: Command, reply: str) -> list[StateChange]:
    """Changes that follow from the command because the reply reports success."""
    listed = [(name, change_in(outcome)) for name, outcome in item_replies(reply)]
    if listed:
        return [change for name, done in listed if done for change in _changes(command, name, done)]
    if not command.object:
        return []
    for sentence in sentences(reply)[:3]:
        done = change_in(sentence)
        if done and _fits(command.verb, done):
            return _changes(command, bare(command.object), done)
    return _changes_supposed(command, reply)


def _changes_supposed(command: Command, reply: str) -> list[StateChange]:
    """An answer that speaks of the thing and denies nothing: the verb did what it does."""
    told = _ASIDE.sub("", reply)
    if command.verb not in _SUPPOSED or _DENIES.search(told):
        return []
    if head_of(command.object) not in words_of(told):
        return []
    return [
        change.model_copy(update={"confidence": _SUPPOSED_CONFIDENCE})
        for change in _changes(command, bare(command.object), command.verb)
    ]


def _fits(verb: str, done: str) -> bool:
    alike = {
        ("put", "drop"),
        ("throw", "drop"),
        ("take", "remove"),
        ("remove", "take"),
        ("turn", "open"),
    }
    general = done == "put" and verb in ("put", "give", "throw", "tie")
    return verb == done or (verb, done) in alike or general


def _changes(command: Command, name: str, done: str) -> list[StateChange]:
    if command.verb in ("put", "give", "throw") and done in _HANDS_OVER and command.second:
        holder = bare(command.second)
        return [StateChange(object=name, property="location", new_value=holder, confidence=0.9)]
    if done == "remove" and command.verb == "take":
        done = "take"
    if done in _PLACE_OF_CHANGE:
        place = _PLACE_OF_CHANGE[done]
        return [StateChange(object=name, property="location", new_value=place)]
    if done in ("wear", "remove"):
        worn = _state_change(name, *_STATE_OF_CHANGE[done], 0.95)
        return [StateChange(object=name, property="location", new_value="inventory"), worn]
    if done in _STATE_OF_CHANGE:
        return [_state_change(name, *_STATE_OF_CHANGE[done], 0.95)]
    return []


def _state_change(name: str, prop: str, value: str, confidence: float) -> StateChange:
    """A light that is switched on is lit; any other device is on."""
    if prop in ("on", "lit"):
        kinds = classes_of(name)
        shines = "light-source" in kinds or "fire" in kinds or "light" in head_of(name)
        prop = "lit" if shines or (prop == "lit" and "device" not in kinds) else "on"
    return StateChange(object=name, property=prop, new_value=value, confidence=confidence)
