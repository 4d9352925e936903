"""How likely a model holds texts as its next answer: asked of llama.cpp's server, token by token.

The commands of a turn make a tree of tokens. Each node takes one request for one token, whose
probabilities are told; the server keeps what it has read, so that a request reads one token anew.
What ends an answer counts as its last token, so that `open` is not likely because `open door` is.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from langchain_core.messages import AIMessage
from pydantic import BaseModel, Field, ValidationError

from agents.models.addresses import shown
from agents.models.faults import Diagnosing, ModelFault
from agents.models.scripts import ModelQuestion

_TOLD = 400
"""So many tokens' probabilities are told; less likely ones count as the least of them."""
_LONGEST, _TRIED = 12, 20
"""Tokens of a proposed command, and beginnings of one that are tried at most."""
_UNTOLD, _LEAST = -20.0, -1000.0
"""The logarithm where a server tells no probabilities, and the least that is taken for one."""
UNTOLD = "untold"
"""The kind of fault of a server that does not answer as llama.cpp's does."""
_SURELY = "look"
"""A text whose end in a conversation shows how answers end."""
_STOPS = ("\n", "<|", "</")


class Scored(BaseModel):
    """A command, and the logarithm of its probability."""

    command: str
    logarithm: float = Field(le=0, allow_inf_nan=False)


class Likelihoods(BaseModel):
    """How likely the commands are that were asked about, and what the model itself would say."""

    commands: list[Scored]
    proposed: list[str] = []


class LikelihoodQuestion(NamedTuple):
    """What is asked about the next answer of a conversation, as the last message says it."""

    commands: list[str]
    propose: int
    """So many answers of its own are wanted."""
    but: tuple[str, ...] = ()
    """Words that these do not begin with."""

    @classmethod
    def of(cls, text: str) -> LikelihoodQuestion:
        """Read it."""
        return cls(**json.loads(text))

    @staticmethod
    def is_one(text: str) -> bool:
        """Whether a text is such a question."""
        return text.startswith('{"commands": [')

    @property
    def text(self) -> str:
        """As it is written."""
        return json.dumps(self._asdict(), ensure_ascii=False)


class _Prompt(BaseModel):
    """A conversation, written out."""

    prompt: str


class _Text(BaseModel):
    """What tokens stand for."""

    content: str


class _Tokens(BaseModel):
    """What a text consists of."""

    tokens: list[int]


class _Token(BaseModel):
    """One that may follow, and the logarithm of its probability; JSON has none for 0."""

    id: int
    logprob: float | None


class _Following(BaseModel):
    """What may follow a beginning, the likeliest first."""

    top_logprobs: list[_Token]


class _Timings(BaseModel):
    """Tokens that the server read anew; less than none where it does not say."""

    prompt_n: int = -1


class _Completion(BaseModel):
    """What a model writes behind a beginning."""

    content: str
    completion_probabilities: list[_Following] = []
    timings: _Timings = _Timings()


_A = TypeVar("_A", bound=BaseModel)


class TokenTree:
    """A server of llama.cpp that is asked for probabilities.

    Args:
        client: Of OpenAI's package, which asks the same server in chat.
    """

    def __init__(self, client: Any) -> None:
        self._client = client
        self._place = str(client.base_url).rstrip("/").removesuffix("/v1")

    def answer(self, question: ModelQuestion) -> AIMessage:
        """The likelihoods as a message, with the tokens that it took."""
        *said, (_, last) = question.messages
        talk = [{"role": role, "content": text} for role, text in said]
        return _Walk(self, talk).answer(LikelihoodQuestion.of(last))

    def post(self, path: str, body: dict[str, Any], kind: type[_A]) -> _A:
        """What it answers to one request.

        Raises:
            ModelFault: nothing, or something else than llama.cpp's server does.
        """
        try:
            with Diagnosing():
                told = self._client.post(f"{self._place}{path}", body=body, cast_to=object)
            return kind.model_validate(told)
        except ModelFault as fault:
            if fault.kind not in ("missing", "refused"):
                raise
            raise ModelFault(UNTOLD, str(fault), transient=False) from fault
        except ValidationError as error:
            wrong = error.errors()[0]
            where = ".".join(map(str, wrong["loc"])) or "the answer"
            raise self.untold(path, f"{where}: {wrong['msg']}") from error

    def untold(self, path: str, what: str) -> ModelFault:
        """A fault of its answer."""
        return ModelFault(UNTOLD, f"POST {shown(self._place)}{path}: {what}", transient=False)


class _Walk:
    """One question: the way through the tree behind a conversation, and what it costs.

    Whoever asks models explains what goes wrong with the server.
    """

    def __init__(self, tree: TokenTree, talk: Sequence[dict[str, str]]) -> None:
        self._tree = tree
        before = self._written(talk)
        self._prefix, self._end = self._tokens(before), self._ending(talk, before)
        self._read = self._asked = 0

    def answer(self, wanted: LikelihoodQuestion) -> AIMessage:
        scores = self._scores(wanted.commands)
        found = Likelihoods(
            commands=[Scored(command=one, logarithm=scores[one]) for one in wanted.commands],
            proposed=list(islice(self._proposals(wanted.but), wanted.propose)),
        )
        total = len(self._prefix) + self._asked
        usage = {
            "input_tokens": total,
            "output_tokens": self._asked,
            "total_tokens": total + self._asked,
            "input_token_details": {"cache_read": max(0, total - self._read)},
        }
        return AIMessage(found.model_dump_json(), usage_metadata=usage)

    def _ending(self, talk: Sequence[dict[str, str]], before: str) -> list[int]:
        """The token that ends an answer of this model; empty where nobody can tell."""
        spoken = [
            *talk,
            {"role": "assistant", "content": _SURELY},
            {"role": "user", "content": "-"},
        ]
        whole = self._written(spoken)
        if not whole.startswith(before + _SURELY):
            return []
        return self._tokens(whole[len(before + _SURELY) :])[:1]

    def _scores(self, commands: Sequence[str]) -> dict[str, float]:
        """The logarithm of the probability of each command and its end."""
        known: dict[tuple[int, ...], dict[int, float]] = {}
        tokens = {command: [*self._tokens(command), *self._end] for command in commands}
        # Neighbours share what the server has read.
        for command in sorted(commands, key=tokens.__getitem__):
            for at in range(len(tokens[command])):
                node = tuple(tokens[command][:at])
                if node not in known:
                    known[node] = self._following(node)
        if not any(known.values()):
            raise self._tree.untold("/completion", "it tells no probabilities of tokens")
        found = {}
        for command, path in tokens.items():
            nodes = (known[tuple(path[:at])] for at in range(len(path)))
            found[command] = sum(
                node.get(token, min(node.values(), default=_UNTOLD))
                for token, node in zip(path, nodes, strict=True)
            )
        return found

    def _following(self, node: Sequence[int]) -> dict[int, float]:
        """The likeliest tokens behind a node, and the logarithms of their probabilities."""
        told = self._complete(node, 1, n_probs=_TOLD, samplers=[]).completion_probabilities
        tokens = told[0].top_logprobs if told else []
        return {one.id: _logarithm(one.logprob) for one in tokens}

    def _proposals(self, but: Sequence[str]) -> Iterator[str]:
        """What begins with each of the likeliest tokens and goes on by the likeliest."""
        likely = self._following(())
        for token in sorted(likely, key=likely.__getitem__, reverse=True)[:_TRIED]:
            begun = self._tree.post("/detokenize", {"tokens": [token]}, _Text).content
            if begun.strip().lower() in but:
                continue
            written = self._complete([token], _LONGEST, stop=list(_STOPS)).content
            yield " ".join(f"{begun}{written}".split())

    def _complete(self, node: Sequence[int], count: int, **more: Any) -> _Completion:
        tokens = [*self._prefix, *node]
        asked = {"prompt": tokens, "n_predict": count, "temperature": 0, "cache_prompt": True}
        told = self._tree.post("/completion", {**asked, **more}, _Completion)
        self._asked += 1
        read = told.timings.prompt_n
        self._read += len(tokens) if read < 0 else read
        return told

    def _written(self, talk: Sequence[dict[str, str]]) -> str:
        """A conversation as the model reads it, up to its next answer."""
        return self._tree.post("/apply-template", {"messages": talk}, _Prompt).prompt

    def _tokens(self, text: str) -> list[int]:
        asked = {"content": text, "parse_special": True}
        return self._tree.post("/tokenize", asked, _Tokens).tokens


def _logarithm(told: float | None) -> float:
    """One that can be added up: 0 has none, and sums of 1 are sometimes a little more."""
    return _LEAST if told is None else min(0.0, max(_LEAST, told))
