"""What a model is told: what never changes, the game's words as they fell, and the question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from agents.briefing import Briefing
from environments.plain_text import showable
from managers.language.history import Exchange, History, Window
from prompts import Prompt, quote

LONGEST = 6000
"""Characters of one reply that are shown."""
_FEWEST, _STEP = 6, 6
"""News that are shown at least; so many more are added before the oldest go at once."""
_OPENING, _REPLY = 1200, 500
"""Characters of the opening and of a reply that are shown among news."""
LEFT_OUT = (
    "Of the turns before, some of what was read or described first is kept; the rest is left out."
)


def conversation(prompt: Prompt, history: History, tokens: int) -> list[BaseMessage]:
    """The messages of one question.

    The player's commands are the model's own turns, the replies are the other side's. Turns are
    only added behind those that were there, so that servers need not read them again, and the
    question stands last. Where there is one, what the game says is quoted, so that none of its
    lines can pass for ours.

    Args:
        prompt: The instructions, and the question if the game's words are not all of it.
        history: Everything the game has said.
        tokens: How much of that may be shown.
    """
    window = history.window(tokens)
    said: list[BaseMessage] = [SystemMessage(prompt.system)] if prompt.system else []
    heard = list(_kept(window, quoted=bool(prompt.user)))
    for one in window.recent:
        if one.command:
            said += _human(heard)
            said.append(AIMessage(one.command))
            heard = []
        heard.append(_shown(one, quoted=bool(prompt.user)))
    return [*said, *_human([*heard, prompt.user])]


def _human(texts: Sequence[str]) -> Iterator[BaseMessage]:
    text = "\n\n".join(filter(None, texts))
    if text:
        yield HumanMessage(text)


def _kept(window: Window, *, quoted: bool) -> Iterator[str]:
    if window.recent and window.recent[0].command:
        yield LEFT_OUT
    for one in window.kept:
        place = f" in {one.room}" if one.room else ""
        after = f"Turn {one.turn}, `{one.command}`{place}:" if one.command else "The opening:"
        yield f"{after}\n{_shown(one, quoted=quoted)}"


def _shown(one: Exchange, *, quoted: bool) -> str:
    reply = showable(one.reply.strip())[:LONGEST] or "(nothing)"
    return quote(reply) if quoted else reply


def news(system: str, briefing: Briefing) -> list[BaseMessage]:
    """The messages of a question behind what was news so far, and not the agent's own circling.

    A model finds likely what it has just seen; what was read before is left out. Where the last
    reply was none, the room as it is remembered stands last, or in none the reply again.

    Args:
        system: The instructions.
        briefing: The situation.
    """
    opening, *rest = briefing.history.exchanges or (briefing.history.last,)
    told = list(_unread(rest))
    left_out = max(0, (len(told) - _FEWEST) // _STEP * _STEP)
    said: list[BaseMessage] = [SystemMessage(system)]
    said.append(HumanMessage(showable(opening.reply.strip())[-_OPENING:] or "(nothing)"))
    for one in told[left_out:]:
        said += (AIMessage(one.command), HumanMessage(_brief(one.reply)))
    last = briefing.history.last
    if last.command and (not told or told[-1].turn != last.turn):
        command, text = last.command, last.reply
        if briefing.map.here:
            room = briefing.map.room(briefing.map.here)
            command, text = "look", f"{room.title}\n{room.text}"
        said += (AIMessage(command), HumanMessage(_brief(text)))
    return said


def _unread(exchanges: Sequence[Exchange]) -> Iterator[Exchange]:
    """Those whose reply was not read before."""
    seen = set[str]()
    for one in exchanges:
        words = " ".join(one.reply.split())
        if words and words not in seen:
            seen.add(words)
            yield one


def _brief(reply: str) -> str:
    return showable(reply.strip())[:_REPLY] or "(nothing)"
