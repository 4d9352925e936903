"""Which things help against which troubles: general knowledge, kept as data."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files

from managers.language.lexicon import classes_of, words_of


@cache
def tag_rules() -> Mapping[str, tuple[str, ...]]:
    """`OBJECT_TAGS`: class or noun of a thing -> patterns of the issues it may solve."""
    text = (files(__package__) / "tags.toml").read_text(encoding="utf-8")
    return {kind: tuple(tags) for kind, tags in tomllib.loads(text)["tags"].items()}


@cache
def trouble_words() -> Mapping[str, tuple[str, ...]]:
    """Property of a thing -> words of an issue that make such things relevant."""
    text = (files(__package__) / "tags.toml").read_text(encoding="utf-8")
    return {kind: tuple(words) for kind, words in tomllib.loads(text)["troubles"].items()}


@lru_cache(maxsize=4096)
def tags_for(name: str) -> tuple[str, ...]:
    """The issue patterns for a thing's name."""
    kinds = {*classes_of(name), *words_of(name)}
    tags = [tag for kind, tags in tag_rules().items() if kind in kinds for tag in tags]
    return tuple(dict.fromkeys(tags))
