"""The parts of a reply: what happened, the room's title and description, sentences, exits."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import islice
from typing import NamedTuple

from environments.numbers import number_of
from managers.language.actions import DIRECTIONS, WAYS
from managers.language.patterns import pattern, patterns, read_table

_TEXT = patterns("text")
_SAYS = patterns("layout")
LONGEST_SENTENCE = 600
_LONGEST_TITLE = 160
_LEAST_DESCRIBED = 60
"""Letters of a reply to a walk from which on it describes a place that no line names."""
_LONGEST_PLACE = 8
"""Words of a title that is made of a sentence, at most."""
_SMALL = frozenset("a an the of in on at to by and or from with for near into over under".split())


class Layout(NamedTuple):
    """A reply taken apart."""

    before: str
    """What was said ahead of the room's title; all of the reply where there is no title."""
    title: str = ""
    inside: str = ""
    """The vehicle or furniture the title says the player is in."""
    description: str = ""
    after: str = ""
    """Listings and events behind the description."""
    unnamed: bool = False
    """No line is the title: it is made of the sentence that begins the description."""


def take_scores(text: str) -> tuple[str, int]:
    """The text without its score lines, and the sum of the changes they report."""
    change = 0
    for up, increased, words in _TEXT["score"].findall(text):
        sign = 1 if (up or increased).lower() in ("up", "increased") else -1
        change += sign * (number_of(words) or words in ("a", "one"))
    return _TEXT["score"].sub("", text).rstrip(), change


def sentences(text: str) -> list[str]:
    """The sentences and lines of a text, stripped, without empty ones.

    What goes on for longer than any sentence does is read in pieces.
    """
    return [*_sentences(text)]


@lru_cache(maxsize=128)
def _sentences(text: str) -> tuple[str, ...]:
    parts = (part.strip() for part in _TEXT["sentence"].split(text))
    return tuple(piece for part in parts if part for piece in pieces(part))


def pieces(sentence: str) -> list[str]:
    """A sentence as it is; one that is longer than any in parts that end between words."""
    found = []
    while len(sentence) > LONGEST_SENTENCE:
        end = sentence.rfind(" ", 1, LONGEST_SENTENCE + 1)
        end = end if end > 0 else LONGEST_SENTENCE
        found.append(sentence[:end])
        sentence = sentence[end:].lstrip()
    return [*found, sentence] if sentence else found


def told(reply: str) -> list[str]:
    """The sentences of a reply without remarks in brackets and the marks of a parser."""
    return [_TEXT["brackets"].sub("", part) for part in sentences(_TEXT["aside"].sub("", reply))]


def is_about_session(text: str) -> bool:
    """The program speaks of itself first: `The game is now in its "verbose" mode`."""
    return bool(_TEXT["session"].search(next(iter(sentences(text)), "")))


def _split_title(line: str) -> tuple[str, str]:
    """Room and vehicle: `<< Bedroom (in bed) >>` -> (`Bedroom`, `bed`); `River, in the boat`.

    A line that is longer than any title is one as it stands.
    """
    if len(line) > _LONGEST_TITLE:
        return line.strip(), ""
    title = _SAYS["decoration"].sub(r"\1", line.strip()).strip()
    match = _SAYS["inside"].match(title)
    if not match:
        return title, ""
    return match[1].strip(), re.sub(r"^(?:the|a|an|your)\s+", "", match[2] or match[3])


def shown_title(line: str | None) -> str:
    """The title of a status line: without decoration and vehicle, empty for darkness."""
    title = _split_title(line or "")[0]
    return "" if _SAYS["darkness"].fullmatch(title) else title


def same_title(one: str, other: str) -> bool:
    """The same room title, give or take case and an article."""
    a, b = (re.sub(r"^the\s+", "", text.lower().strip()) for text in (one, other))
    return a == b


def split_reply(text: str, room: str | None, *, guess: bool) -> Layout:
    """Find the room's title and what stands around it.

    `room` is what the status line shows; only where it shows nothing, and `guess` says a
    description is to be expected, a line that merely looks like a title counts as one.
    """
    lines, name = text.strip("\n").split("\n"), shown_title(room)
    for at in reversed(range(len(lines))):
        if name:
            found = same_title(_split_title(lines[at])[0], name)
        else:
            found = guess and _looks_like_title(lines, at)
        if found:
            description, after = _description(lines[at + 1 :])
            before = "\n".join(lines[:at]).strip()
            return Layout(before, *_split_title(lines[at]), description, after)
    return Layout(before=text.strip())


def split_unnamed(layout: Layout) -> Layout:
    """A reply in which no line names the room, by the sentence that says where one is.

    `You are in a small cave. There are paths ...` is the description of a room `Small cave`; what
    stands behind the first title of a story may be one: that was the story's own.
    """
    if layout.title:
        told, rest = [layout.before, layout.title, layout.description], layout.after
    else:
        told, rest = [], layout.before
    return _described(told, rest, _place_in) or layout


def split_arrival(layout: Layout) -> Layout:
    """The reply to a walk in such a story, where it does not say `You are`: its first long text.

    `The passage widens into a vast chamber. ...`; as it was where no text is long.
    """
    return _described([], layout.before, _place_shown) or layout


def _described(told: list[str], text: str, place_of: Callable[[str], str]) -> Layout | None:
    """The text by the first of its paragraphs that is of a place; `told` was said before it."""
    lines = text.split("\n")
    for at in range(len(lines)):
        description, after = _paragraph(lines[at:])
        if place := place_of(description):
            before = "\n".join(filter(None, [*told, *lines[:at]])).strip()
            title = place[:1].upper() + place[1:]
            return Layout(before, title, "", description, after, unnamed=True)
    return None


def _place_in(description: str) -> str:
    """`small cave`, `outside the hut`; empty where it does not say that one is in a place."""
    found = _SAYS["place"].match(description)
    if found is None:
        return ""
    where, place = found["where"].lower(), _first_words(found["place"])
    return place if where in ("in", "on", "at") else f"{where} the {place}"


def _place_shown(description: str) -> str:
    """`passage widens into a vast chamber`; empty where it is too short to describe a place."""
    found = _SAYS["subject"].match(description)
    return _first_words(found["place"]) if found and len(description) >= _LEAST_DESCRIBED else ""


def _first_words(place: str) -> str:
    return " ".join(place.split()[:_LONGEST_PLACE])


def _paragraph(lines: list[str]) -> tuple[str, str]:
    """The first lines up to one that is empty or lists what is there, as one, and the rest."""
    ends = (at for at, line in enumerate(lines) if not line.strip() or _SAYS["lists"].match(line))
    end = next((at for at in ends if at), len(lines))
    return " ".join(line.strip() for line in lines[:end]), "\n".join(lines[end:]).strip("\n")


def _looks_like_title(lines: list[str], at: int) -> bool:
    """A short line on its own without a full stop, in title case or with a description below."""
    line, before = lines[at].strip(), lines[at - 1].strip() if at else ""
    decorated = bool(_SAYS["decorated"].match(line))
    text = _split_title(line)[0]
    words = text.split()
    if not words or len(text) > 50 or len(words) > 8 or line[-1] in ".!?:,;'\"":
        return False
    if decorated or (before and not _TEXT["aside"].match(before)):
        return decorated
    if line.startswith(("***", "[", "(", ">")) or lines[at].startswith("  "):
        return False
    if words[0][0].isupper() and any(map(_describes, lines[at + 1 : at + 2])):
        return True
    return all(w[0].isupper() or not w[0].isalpha() or w.lower() in _SMALL for w in words)


def _description(lines: list[str]) -> tuple[str, str]:
    """The paragraph that describes the room, as far as these lines begin with it, and the rest."""
    end = 0
    if lines and _describes(lines[0]):
        end = 1
        while end < len(lines) and _continues(lines[end]):
            end += 1
    return " ".join(line.strip() for line in lines[:end]), "\n".join(lines[end:]).strip("\n")


def _describes(line: str) -> bool:
    if _SAYS["describes"].match(line):
        return True
    if _SAYS["lists"].match(line):
        return len(line) > 160
    sentences = len(re.findall(r"[.!?](?:\s|$)", line))
    return sentences > 1 or (len(line) > 40 and bool(_SAYS["opening"].match(line)))


def _continues(line: str) -> bool:
    return len(line) > 120 and not line.startswith(" ") and not _SAYS["lists"].match(line)


_MOST_WORDS = 24
"""So many words for ways one sentence is read for."""


@cache
def _kinds() -> Sequence[tuple[re.Pattern[str], Mapping[str, str], re.Pattern[str], bool]]:
    """Words, the ways they mean, what has to be said, and whether it may be of broken stairs."""
    found = []
    for name, kind in read_table("exits")["kinds"].items():
        ways = {word: way for way, words in kind["words"].items() for word in words.split()}
        # Letters stand for directions only where they are capitals.
        case = 0 if name == "letters" else re.IGNORECASE
        words = re.compile(rf"\b(?:{'|'.join(map(re.escape, ways))})\b", case)
        lower = {word.lower(): way for word, way in ways.items()}
        found.append((words, lower, _any_of(kind["says"]), name in ("steep", "doors")))
    return found


@cache
def _rule(name: str) -> re.Pattern[str]:
    return _any_of(read_table("exits")[name])


def _any_of(texts: Sequence[str]) -> re.Pattern[str]:
    return pattern("|".join(f"(?:{text})" for text in texts), "exits")


@lru_cache(maxsize=512)
def exits_in(prose: str) -> tuple[str, ...]:
    """The directions a description mentions as ways to go (`the south wall` is none), in order."""
    found = {way for sentence in sentences(prose) for way in _ways(sentence)}
    return tuple(name for name in WAYS if name in found)


@lru_cache(maxsize=512)
def only_exits_in(refusal: str) -> tuple[str, ...]:
    """The ways a refusal names as all there are, as `You can only go west.` does."""
    said = (one for one in sentences(refusal) if _rule("only").search(one))
    return next(filter(None, map(exits_in, said)), ())


@lru_cache(maxsize=512)
def slopes_in(prose: str) -> Mapping[str, str]:
    """Up and down, where a description says in which direction that is."""
    return {one["steep"].lower(): one["way"].lower() for one in _rule("slope").finditer(prose)}


def _ways(sentence: str) -> Iterator[str]:
    if every := _rule("all_ways").search(sentence):
        yield from DIRECTIONS[: 4 if "cardinal" in every[0] or "four" in every[0] else 8]
    useless = _rule("broken").search(sentence) or _rule("same").search(sentence)
    for words, ways, says, of_stairs in _kinds():
        for match in islice(words.finditer(sentence), _MOST_WORDS):
            marked = f"{sentence[: match.start()]}@{sentence[match.end() :]}"
            leads = says.search(marked) and not _rule("never").search(marked)
            if leads and not (of_stairs and useless):
                yield ways[match[0].lower()]
