"""What a reply says has changed, given the command that brought it."""

from __future__ import annotations

import re

from managers.extraction import StateChange
from managers.text.commands import Command
from managers.text.lexicon import classes_of, head_of, words_of
from managers.text.nouns import bare
from managers.text.outcomes import change_in, item_replies, refusal_in, sentences
from managers.text.patterns import pattern

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
_PLACE_OF_CHANGE = {
    "take": "inventory",
    "drop": "here",
    "throw": "here",
    "tie": "here",
    "eat": "gone",
    "drink": "gone",
}
_ALIKE = {
    ("put", "drop"),
    ("throw", "drop"),
    ("take", "remove"),
    ("remove", "take"),
    ("turn", "open"),
}
_HANDS_OVER = frozenset({"put", "give", "drop", "throw"})
_SAYS = tuple(
    (pattern(text), prop, value)
    for text, prop, value in (
        (r"\byou\ (?:\w+ly\ )?(?:pull\ |push\ )?open(?:ed)?\ <det>(<words>)(?=[.,!]|\ and\b|\ to\b|\ far\b|$)", "open", "true"),
        (r"^opening\ <det>(<words>)\ reveals", "open", "true"),
        (r"^the\ (<words>)\ (?:\w+ly\ |swings?\ |slides?\ |creaks?\ |springs?\ |bursts?\ |clicks?\ )?opens?(?=[.,!]|\ to\b|\ and\b|$)", "open", "true"),
        (r"^the\ (<words>)\ (?:swings?|slides?|creaks?|springs?|bursts?|flies)\ open\b", "open", "true"),
        (r"\byou\ (?:\w+ly\ )?(?:close|shut)\ <det>(<words>)<end>", "open", "false"),
        (r"^the\ (<words>)\ (?:\w+ly\ )?(?:closes|(?:slams|crashes|swings|snaps)\ (?:shut|closed))\b", "open", "false"),
        (r"\byou\ (?:\w+ly\ )?unlock\ <det>(<words>)(?=[.,!]|\ and\b|\ with\b|$)", "locked", "false"),
        (r"\byou\ (?:\w+ly\ )?lock\ <det>(<words>)(?=[.,!]|\ and\b|\ with\b|$)", "locked", "true"),
        (r"\byou\ (?:switch|turn)\ <det>(<words>)\ on\b", "on", "true"),
        (r"\byou\ (?:switch|turn)\ <det>(<words>)\ off\b", "on", "false"),
        (r"\byou\ (?:light|ignite)\ <det>(<words>)(?=[.,!]|\ and\b|\ with\b|$)", "lit", "true"),
        (r"\byou\ (?:extinguish|put\ out|blow\ out|douse)\ <det>(<words>)<end>", "lit", "false"),
        (r"^(?:the|your)\ (<words>)\ (?:is|are)\ (?:now\ )?(?:on|lit|burning)[.!]?$", "on", "true"),
        (r"^(?:the|your)\ (<words>)\ (?:(?:is|are)\ (?:now\ )?(?:off|out|extinguished)|(?:has|have)\ (?:gone|burned|burnt|run)\ out|goes\ out|go\ out)\b", "on", "false"),
        (r"\byou\ (?:put\ on|don|are\ now\ wearing)\ <det>(<words>)(?=[.,!]|$)", "worn", "true"),
        (r"\byou\ take\ off\ <det>(<words>)(?=[.,!]|$)", "worn", "false"),
        (r"\b(?:steals?|stole|snatch(?:es|ed)|robbed\ you\ of|makes\ off\ with)\ (?:the|your)\ (<words>)(?:\ from\ you)?(?=[.,!]|$)", "location", "unknown"),
        (r"\b(?:the|an?|some|your)\ (<words>)\ (?:(?:\w+ly|then|becomes?|turns?|goes|is|are)\ [^.;]{0,40}?)?(?:falls?|drops?|slips?|tumbles?|clatters?)\ (?:to|on|onto)\ the\ (?:ground|floor)\b", "location", "here"),
        (r"\bdrops?\ (?:the|your)\ (<words>)\ (?:on|to|onto)\ the\ (?:ground|floor)\b", "location", "here"),
        (r"\b(?:the|an?|your|one\ of\ the)\ (<words>)\ (?:\w+\ ){1,3}in(?:to)?\ your\ hands?\b", "location", "inventory"),
        (r"(?<!this\ )(?<!that\ )\b(?:gives?|hands?)\ you\ (?:the|an?|some)\ (<words>)(?=\ to\ |\ and\ |[.,!]|$)", "location", "inventory"),
        (r"\((?:first\ )?(?:taking|picking\ up|you\ take|getting)\ <det>(<words>)(?:\ first)?\)", "location", "inventory"),
        (r"\((?:first\ )?opening\ <det>(<words>)(?:\ first)?\)", "open", "true"),
        (r"\((?:first\ )?unlocking\ <det>(<words>)(?:\ first|\ with\ .*)?\)", "locked", "false"),
    )
)  # fmt: skip
_MOVED = pattern(
    r"""\(?(?:putting|you\ (?:put|catch|trap|place|insert|slip|set|hang|pour))\ <det>(<words>)
        \ (?:in|into|on|onto|inside)\ <det>(<words>)(?:\ to\ make\ room)?[.)!]"""
)
_SUPPOSED = frozenset(
    "take drop put give throw open close light extinguish wear remove tie".split()
)
_SUPPOSED_CONFIDENCE = 0.65
_ASIDE = re.compile(r"^\s*\([^)]*\)\s*$", re.MULTILINE)
_NEGATED = re.compile(r"n't\b|\b(?:not|never|cannot)\b", re.IGNORECASE)
_NOT_TAKEN = frozenset({"fixed", "too_heavy", "refused"})
_TAKING = re.compile(r"^\s*\(first taking [^)]*\)\s*$", re.MULTILINE)
_CHOSEN = re.compile(r"^\s*\((?:the |your )([\w' -]+?)(?: (?:down|off|on))?\)\s*$", re.MULTILINE)
_DENIES = re.compile(
    r"\b(?:not|no|nothing|never|nobody|cannot|but|already|unable|fails?|refuses?|too|without|"
    r"before|first|impossible|locked|closed|instead|needs?|must|should|would|could|won't|however|"
    r"hardly|barely|which|what|who|how|why)\b|n't\b|\?",
    re.IGNORECASE,
)


def changes_in(command: Command, reply: str, text: str, *, scored: bool) -> list[StateChange]:
    """What the command did as its reply tells, and what the whole text says besides.

    A bare `door` in the text adds nothing where the command already named the trap door; a
    fuller name in the text replaces the word of the command.
    """
    refusal = refusal_in(reply)
    refused = refusal is not None and refusal.reason != "already" and not scored
    done = [] if refused else _changes_done(command, reply, scored=scored)
    untaken = refused and refusal is not None and refusal.reason in _NOT_TAKEN
    said = [
        change
        for change in _changes_said(_TAKING.sub("", text) if untaken else text)
        if " " in change.object
        or change.property == "location"
        or all(change.property != other.property for other in done)
    ]
    placed = [change for change in said if change.property == "location" and _is_holder(change)]
    full = {head_of(change.object): change.object for change in said if " " in change.object}
    found: dict[tuple[str, str], StateChange] = {}
    for change in (*placed, *done, *said):
        name = full.get(change.object, change.object)
        found.setdefault((name, change.property), change.model_copy(update={"object": name}))
    return list(found.values())


def _is_holder(change: StateChange) -> bool:
    return change.new_value not in ("inventory", "here", "gone", "unknown")


def _changes_said(text: str) -> list[StateChange]:
    """Changes that the sentences themselves name, whatever the command was."""
    found = []
    for sentence in sentences(text):
        for says, prop, value in _SAYS:
            match = says.search(sentence)
            if match and not _NEGATED.search(match[0]):
                found.append(_state_change(bare(match[1]), prop, value, 0.9))
        found += [
            StateChange(object=bare(match[1]), property="location", new_value=bare(match[2]))
            for match in _MOVED.finditer(sentence)
        ]
    return found


def _changes_done(command: Command, reply: str, *, scored: bool) -> list[StateChange]:
    """Changes that follow from the command because the reply reports success."""
    listed = [(name, change_in(outcome)) for name, outcome in item_replies(reply)]
    if listed:
        return [change for name, done in listed if done for change in _changes(command, name, done)]
    command = _named_aside(command, reply)
    if not command.object:
        return []
    for sentence in sentences(reply)[:3]:
        done = change_in(sentence)
        if done and _fits(command.verb, done):
            return _changes(command, bare(command.object), done)
    return _changes_supposed(command, reply, scored=scored)


def _named_aside(command: Command, reply: str) -> Command:
    """The thing that the game chose for `all` or `it`: `(the oaken chest)`."""
    match = _CHOSEN.match(reply)
    if not match or command.object not in ("all", "everything", "it", "them"):
        return command
    return command._replace(object=bare(match[1]))


def _changes_supposed(command: Command, reply: str, *, scored: bool) -> list[StateChange]:
    """An answer that speaks of the thing, or brings points, and denies nothing."""
    told = _ASIDE.sub("", reply)
    if command.verb not in _SUPPOSED or (_DENIES.search(told) and not scored):
        return []
    noun = head_of(command.object)
    if not scored and not {noun, noun + "s", noun + "es"}.intersection(words_of(told)):
        return []
    return [
        change.model_copy(update={"confidence": _SUPPOSED_CONFIDENCE})
        for change in _changes(command, bare(command.object), command.verb)
    ]


def _fits(verb: str, done: str) -> bool:
    general = done == "put" and verb in ("put", "give", "throw", "tie")
    return verb == done or (verb, done) in _ALIKE or general


def _changes(command: Command, name: str, done: str) -> list[StateChange]:
    if command.verb in ("put", "give", "throw") and done in _HANDS_OVER and command.second:
        place = _receiver(command, name)
        return [StateChange(object=name, property="location", new_value=place, confidence=0.9)]
    if done == "remove" and command.verb == "take":
        done = "take"
    if done in ("wear", "remove"):
        worn = _state_change(name, *_STATE_OF_CHANGE[done], 0.95)
        return [StateChange(object=name, property="location", new_value="inventory"), worn]
    if done in _PLACE_OF_CHANGE:
        return [StateChange(object=name, property="location", new_value=_PLACE_OF_CHANGE[done])]
    if done in _STATE_OF_CHANGE:
        return [_state_change(name, *_STATE_OF_CHANGE[done], 0.95)]
    return []


def _receiver(command: Command, name: str) -> str:
    """Where a thing ends up; what is eaten is gone."""
    holder = bare(command.second)
    eaten = "edible" in classes_of(name) and "person" not in classes_of(holder)
    return "gone" if command.verb == "give" and eaten else holder


def _state_change(name: str, prop: str, value: str, confidence: float) -> StateChange:
    """A light that is switched on is lit; any other device is on."""
    if prop in ("on", "lit"):
        kinds = classes_of(name)
        shines = "light-source" in kinds or "fire" in kinds or "light" in head_of(name)
        prop = "lit" if shines or (prop == "lit" and "device" not in kinds) else "on"
    return StateChange(object=name, property=prop, new_value=value, confidence=confidence)
