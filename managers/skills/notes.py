"""Notes: sentences that a model's reading keeps, like the notes that somebody writes down."""

from __future__ import annotations

from managers.core.skill import Skill
from managers.language.layout import exits_in
from managers.language.lexicon import head_of, words_of
from managers.language.reading import Reading
from managers.world.facts import Blackboard
from managers.world.queries import LONGEST_NOTE, NOTE, with_notes
from managers.world.transition import Transition


class NotesSkill(Skill):
    """Keeps what a model's reading found new."""

    def notice(self, board: Blackboard, transition: Transition) -> Blackboard:
        """What a model found new.

        No sentences of a room's ways, which the map knows, nor of a thing that has come or gone
        since.
        """
        reading = transition.reading
        if not isinstance(reading, Reading) or reading.progress is None:
            return board
        moved = (one for one in reading.state_changes if one.property == "location")
        left = transition.taken | {head_of(one.object) for one in moved}
        board = board.without(NOTE, lambda fact: not left.isdisjoint(words_of(fact.subject)))
        described = reading.room is not None
        new = (text for text in reading.new_information if not (described and exits_in(text)))
        texts = [text for text in new if len(text) <= LONGEST_NOTE]
        here = transition.after.here
        return with_notes(board, [transition.fact(text, room=here) for text in texts])
