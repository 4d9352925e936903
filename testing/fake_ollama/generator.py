"""Made-up answers that fit a JSON schema, the same ones for the same seed and prompt."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from typing import Any

from agents.json_text import json_objects
from agents.models.scripts import ModelQuestion, Schema

MAX_DEPTH = 6
MAX_ITEMS = 2
_SIGNS = {
    "command": re.compile(r"`([^`\n]{1,60})`"),
    "id": re.compile(r"^(O\d+) ", re.MULTILINE),
}
"""What a field may hold whose description has the word."""
_WORDS = ("the", "old", "small", "way", "here", "now", "try", "again", "maybe", "next", "path")


def generate(question: ModelQuestion, schema: Schema | None, seed: int) -> Any:
    """An answer, or a tool's arguments, of a form; where none is wanted, a sentence.

    A text field whose description speaks of a command becomes one of the phrases that
    the prompt puts between backquotes, one that speaks of an id an objective's.
    """
    rng = random.Random(f"{seed}/{question.messages}")
    said = "\n".join(text for role, text in question.messages if role == "user")
    found = {word: list(dict.fromkeys(sign.findall(said))) for word, sign in _SIGNS.items()}
    maker = _Maker(rng, schema or {}, found)
    return maker.make(schema) if schema else maker.sentence()


def lookup(question: ModelQuestion, seed: int) -> str:
    """The tool to call first; empty half of the time, and once there is a result."""
    rng = random.Random(f"{seed}/{question.messages}/lookup")
    if not question.tools or question.messages[-1][0] == "tool" or rng.random() < 0.5:
        return ""
    return rng.choice(list(question.tools))


def understood(question: ModelQuestion) -> ModelQuestion:
    """The question with the JSON schema that its words spell out, where it has no other."""
    if question.schema is not None:
        return question
    found = [
        candidate for candidate in json_objects(question.text).found if "properties" in candidate
    ]
    return question._replace(schema=found[-1] if found else None)


class _Maker:
    def __init__(
        self, rng: random.Random, root: Mapping[str, Any], found: Mapping[str, Sequence[str]]
    ) -> None:
        self.rng = rng
        self.definitions: Mapping[str, Any] = root.get("$defs", {})
        self.found = found

    def make(self, schema: Mapping[str, Any], depth: int = 0) -> Any:
        """A value of a schema."""
        schema = self._resolved(schema)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return self.rng.choice(schema["enum"])
        for union in ("anyOf", "oneOf"):
            if union in schema:
                chosen = self._alternative(schema[union], depth)
                return self.make({"description": schema.get("description", ""), **chosen}, depth)
        kind = schema.get("type", "object" if "properties" in schema else "null")
        if isinstance(kind, list):
            kind = kind[0] if depth < MAX_DEPTH else kind[-1]
        return self._of_type(kind, schema, depth)

    def sentence(self) -> str:
        """A few words."""
        return " ".join(self.rng.choices(_WORDS, k=self.rng.randint(4, 9))).capitalize() + "."

    def _of_type(self, kind: str, schema: Mapping[str, Any], depth: int) -> Any:
        if kind == "object":
            properties = schema.get("properties", {})
            return {name: self.make(value, depth + 1) for name, value in properties.items()}
        if kind == "array":
            return self._items(schema, depth)
        if kind in ("number", "integer"):
            return self._number(kind, schema)
        if kind == "boolean":
            return self.rng.random() < 0.5
        return self._text(schema) if kind == "string" else None

    def _resolved(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        while "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            beside = {key: value for key, value in schema.items() if key != "$ref"}
            schema = {**beside, **self.definitions[name]}
        return schema

    def _alternative(self, options: Sequence[Mapping[str, Any]], depth: int) -> Mapping[str, Any]:
        plain = [option for option in options if option.get("type") == "null"]
        if plain and (depth >= MAX_DEPTH or self.rng.random() < 0.7):
            return plain[0]
        return self.rng.choice(options)

    def _items(self, schema: Mapping[str, Any], depth: int) -> list[Any]:
        fewest = schema.get("minItems", 0)
        most = min(schema.get("maxItems", MAX_ITEMS), max(MAX_ITEMS, fewest))
        count = fewest if depth >= MAX_DEPTH else self.rng.randint(fewest, max(most, fewest))
        if "prefixItems" in schema:
            return [self.make(item, depth + 1) for item in schema["prefixItems"]]
        item = {"description": schema.get("description", ""), **schema.get("items", {})}
        return [self.make(item, depth + 1) for _ in range(count)]

    def _number(self, kind: str, schema: Mapping[str, Any]) -> float | int:
        low = schema.get("minimum", min(0, schema.get("maximum", 0)))
        high = schema.get("maximum", max(10, low))
        if kind == "integer":
            return self.rng.randint(int(low), int(high))
        return round(self.rng.uniform(low, high), 2)

    def _text(self, schema: Mapping[str, Any]) -> str:
        told = schema.get("description", "").lower()
        for word, phrases in self.found.items():
            if phrases and re.search(rf"\b{word}s?\b", told):
                return self.rng.choice(phrases)
        text = self.sentence()
        return text[: schema["maxLength"]] if "maxLength" in schema else text
