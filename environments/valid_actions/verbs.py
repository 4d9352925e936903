"""General knowledge of how interactive fiction is commanded; nothing of any particular story."""

from __future__ import annotations

from collections.abc import Iterable

from environments.vocabulary import Vocabulary

FAMILIAR = (
    "take", "drop", "open", "close", "examine", "turn", "light", "push", "enter", "eat",
    "pull", "wear", "remove", "attack", "board", "switch", "climb", "drink", "extinguish", "read",
    "move", "search", "look", "raise", "lower", "wave", "rub", "ring", "shake", "blow",
    "break", "dig", "untie", "wake", "unlock", "fill", "inflate", "deflate", "wind", "touch",
    "tie", "cut", "press", "lift", "get", "go", "jump", "knock", "swim", "play",
    "kiss", "follow", "pour", "empty", "burn", "throw", "put", "give", "show", "insert",
    "lock", "pick", "kick", "swing", "squeeze", "smell", "listen", "taste", "clean", "cross",
    "leave", "say", "exit", "stand", "sit", "disembark", "launch", "set", "hit", "count",
    "pray", "wait", "yell", "answer", "hello", "ask", "tell",
)  # fmt: skip
"""Verbs of at most one noun, those first that most often change something."""

FAMILIAR_PAIRS = (
    "put in", "put on", "unlock with", "give to", "throw at", "open with", "light with",
    "attack with", "tie to", "turn with", "fill with", "dig with", "cut with", "pour on",
    "pour in", "lock with", "show to", "burn with", "turn on with", "break with", "put under",
    "push to", "inflate with", "turn to", "ask for", "pick with", "put behind", "wave at",
    "plug with", "rub with", "ring with", "clean with", "hang on",
    "ask about", "tell about", "consult about", "look up in", "read about in",
)  # fmt: skip
"""Verbs of two nouns with their prepositions, in the same order."""

PREPOSITIONS = (
    "in", "on", "to", "at", "with", "from", "under", "off", "out", "up", "down", "for",
    "behind", "over", "about", "into", "onto", "through", "across", "around", "away",
)  # fmt: skip
"""Of prepositions that mean the same to a parser, the first of these is written."""

DIRECTIONS = (
    "north", "south", "east", "west", "northeast", "northwest", "southeast", "southwest",
    "up", "down", "in", "out", "fore", "aft", "port", "starboard",
)  # fmt: skip
SHORT_DIRECTIONS = {
    "northeast": "ne", "northwest": "nw", "southeast": "se", "southwest": "sw",
}  # fmt: skip
"""What to type where a story knows only the abbreviations."""

SESSION = frozenset(
    (
        "about", "again", "g", "oops", "brief", "verbose", "superbrief", "superb", "super",
        "normal", "long", "short", "score", "full", "fullscore", "version", "verify", "$ve",
        "notify", "hint", "hints", "help", "info", "credits", "bug", "comment", "diagnose", "time",
        "places", "objects", "nouns", "pronouns", "footnote", "note", "command", "transcript",
        "quotes", "inventory", "inv", "i", "print_st",
    )
)  # fmt: skip
"""Verbs about the session, the interpreter or the story as a whole: nothing comes of them."""

IDLE = frozenset(
    (
        "bother", "curse", "damn", "nap", "no", "nod", "sing", "sleep", "sorry", "swear", "think",
        "wave", "y", "yes", "back", "barf", "win", "plugh", "xyzzy",
    )
)  # fmt: skip
"""Verbs that many stories know and to which they hardly ever answer anything but a stock reply."""

NOT_NOUNS = frozenset(
    (
        *DIRECTIONS, *SHORT_DIRECTIONS.values(), "n", "s", "e", "w", "u", "d",
        "a", "an", "the", "some", "any", "it", "them", "him", "her", "they", "he", "she", "i",
        "me", "my", "myself", "self", "you", "your", "yourself", "we", "us", "this", "that",
        "these", "those", "here", "there", "is", "are", "be", "all", "every", "everything",
        "each", "both", "other", "another", "one", "two", "and", "or", "but", "not", "of",
        "his", "its", "their", "then", "with", "at", "from", "to", "on", "off", "by", "except",
    )
)  # fmt: skip
"""Words that stories list among their nouns and that name no thing worth trying."""

NOT_TOPICS = NOT_NOUNS | SESSION | frozenset(
    (
        "again", "amusing", "anything", "broken", "closed", "either", "everythin", "everyth",
        "everything", "find", "full", "g", "himself", "itself", "lighted", "lit", "locked", "long",
        "may", "o", "oops", "open", "short", "undo", "unlit", "where", "xcomma", "y", "yes", "no",
    )
)  # fmt: skip
"""Words that the libraries of stories bring along and nobody speaks of."""

GENERAL_GRAMMAR = (
    "take NOUN", "drop HELD", "open NOUN", "close NOUN", "examine NOUN", "push NOUN", "pull NOUN",
    "turn NOUN", "turn on NOUN", "turn off NOUN", "light NOUN", "extinguish NOUN", "enter NOUN",
    "climb NOUN", "eat NOUN", "drink NOUN", "wear NOUN", "remove NOUN", "read NOUN", "search NOUN",
    "look under NOUN", "look behind NOUN", "raise NOUN", "lower NOUN", "wave HELD", "rub NOUN",
    "ring NOUN", "break NOUN", "touch NOUN", "shake NOUN", "knock on NOUN", "untie NOUN",
    "wind NOUN", "kick NOUN", "jump", "blow NOUN", "wake SOMEONE", "swim", "stand", "exit",
    "wait", "pray", "yell", "sleep", "put HELD in NOUN", "put HELD on NOUN", "give HELD to SOMEONE",
    "show HELD to SOMEONE", "throw HELD at NOUN", "unlock NOUN with HELD", "lock NOUN with HELD",
    "open NOUN with HELD", "attack SOMEONE with HELD", "attack SOMEONE", "tie HELD to NOUN",
    "cut NOUN with HELD", "dig NOUN with HELD", "fill HELD with NOUN", "pour HELD on NOUN",
    "light NOUN with HELD", "turn NOUN with HELD", "fix NOUN with HELD",
)  # fmt: skip
"""Commands to try in a story whose grammar cannot be read."""


class Order:
    """Ranks the words or phrases of a story, which cuts words short, by a list of whole ones."""

    def __init__(self, phrases: Iterable[str], letters: int) -> None:
        self._letters = letters
        self._ranked: dict[str, tuple[int, str]] = {}
        for rank, phrase in enumerate(phrases):
            self._ranked.setdefault(self._cut(phrase), (rank, phrase))

    def rank(self, phrase: str) -> int:
        """Its place in the list; a phrase that is not in the list comes after all that are."""
        return self._ranked.get(self._cut(phrase), (len(self._ranked), phrase))[0]

    def whole(self, phrase: str) -> str:
        """The phrase as it is spelt in the list."""
        return self._ranked.get(self._cut(phrase), (0, phrase))[1]

    def _cut(self, phrase: str) -> str:
        return " ".join(word[: self._letters] for word in phrase.split())


def directions(vocabulary: Vocabulary) -> list[str]:
    """The directions that a story knows, as it knows them."""
    forms = ((word, SHORT_DIRECTIONS.get(word, word)) for word in DIRECTIONS)
    return [long if long in vocabulary else short for long, short in forms if short in vocabulary]
