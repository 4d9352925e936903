"""Short answers: what a small model is asked for, few fields and all of them bounded.

A model of up to about 14 billion parameters writes slowly and loses a long form on the way. It is
asked by the prompts of `prompts/short/`, and answers with a type that says how it reads in full.
"""

from __future__ import annotations

from typing import Annotated, Any, Protocol, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

T_co = TypeVar("T_co", bound=BaseModel, covariant=True)


class ShortNotes(BaseModel):
    """The base of short answers; what is not asked for is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Short(Protocol[T_co]):
    """A short answer to a question that has a full one, too."""

    def whole(self) -> T_co:
        """The full one; what the short one does not tell is empty in it."""
        ...


def _cut_to(limit: int) -> Any:
    def cut(said: Any) -> Any:
        return " ".join(said.split())[:limit] if isinstance(said, str) else said

    return BeforeValidator(cut)


def _at_most(limit: int) -> Any:
    """Said in the schema, so that servers that keep schemas stop there."""
    return Field(json_schema_extra={"maxLength": limit})


Command = Annotated[str, _cut_to(60), _at_most(60)]
"""A command for the game. A small model fills a text until it is stopped: the length is told in the
schema, and what a server lets pass all the same is cut."""
Id = Annotated[str, _cut_to(8), _at_most(8)]
"""The id of an objective, like `O2`."""
Phrase = Annotated[str, _cut_to(80), _at_most(80)]
"""A few words, bounded likewise."""
Sentence = Annotated[str, _cut_to(140), _at_most(140)]
"""One short sentence, bounded likewise."""
