"""The candidate actions: generators of prospects, one utility function, a ranked list."""

from managers.candidates.candidate import Candidate
from managers.candidates.ranking import rank

__all__ = ["Candidate", "rank"]
