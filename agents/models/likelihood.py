"""How likely a model holds texts as its next answer: asked of llama.cpp's server, token by token.

The commands of a turn make a tree of tokens. Each node takes one request for one token, whose
probabilities are told; the server keeps what it has read, so that a request reads one token anew.
What ends an answer counts as its last token, so that `open` is not likely because `open door` is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

import httpx
from langchain_core.messages import AIMessage
from pydantic import BaseModel, Field

from agents.models.scripts import ModelQuestion

_TOLD = 400
"""So many tokens' probabilities are told; less likely ones count as the least of them."""
_LONGEST, _TRIED = 12, 20
"""Tokens of a proposed command, and beginnings of one that are tried at most."""
_UNTOLD = -20.0
"""The logarithm where a server tells no probabilities at all."""
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


class TokenTree:
    """A server of llama.cpp that is asked for probabilities.

    Args:
        endpoint: Gives the server's address, without a path, and its key.
        seconds: After which a request is given up.
    """

    def __init__(self, endpoint: Callable[[], tuple[str, str]], seconds: float) -> None:
        self._endpoint = endpoint
        self._seconds = seconds

    def answer(self, question: ModelQuestion) -> AIMessage:
        """The likelihoods as a message, with the tokens that it took."""
        *said, (_, last) = question.messages
        talk = [{"role": role, "content": text} for role, text in said]
        url, key = self._endpoint()
        headers = {"authorization": f"Bearer {key}"} if key else {}
        with httpx.Client(
            base_url=url, headers=headers, timeout=self._seconds, trust_env=False
        ) as client:
            return _Walk(client, talk).answer(LikelihoodQuestion.of(last))


class _Walk:
    """One question: the way through the tree behind a conversation, and what it costs.

    Whoever asks models explains what goes wrong with the server.
    """

    def __init__(self, client: httpx.Client, talk: Sequence[dict[str, str]]) -> None:
        self._client = client
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
        told = self._complete(node, 1, n_probs=_TOLD, samplers=[]).get("completion_probabilities")
        first = (told or [{}])[0]
        return {one["id"]: one["logprob"] for one in first.get("top_logprobs", [])}

    def _proposals(self, but: Sequence[str]) -> Iterator[str]:
        """What begins with each of the likeliest tokens and goes on by the likeliest."""
        likely = self._following(())
        for token in sorted(likely, key=likely.__getitem__, reverse=True)[:_TRIED]:
            begun = str(self._post("/detokenize", {"tokens": [token]})["content"])
            if begun.strip().lower() in but:
                continue
            written = self._complete([token], _LONGEST, stop=list(_STOPS))["content"]
            yield " ".join(f"{begun}{written}".split())

    def _complete(self, node: Sequence[int], count: int, **more: Any) -> dict[str, Any]:
        tokens = [*self._prefix, *node]
        asked = {"prompt": tokens, "n_predict": count, "temperature": 0, "cache_prompt": True}
        told = self._post("/completion", {**asked, **more})
        self._asked += 1
        self._read += int(told.get("timings", {}).get("prompt_n", len(tokens)))
        return told

    def _written(self, talk: Sequence[dict[str, str]]) -> str:
        """A conversation as the model reads it, up to its next answer."""
        return str(self._post("/apply-template", {"messages": talk})["prompt"])

    def _tokens(self, text: str) -> list[int]:
        return list(self._post("/tokenize", {"content": text, "parse_special": True})["tokens"])

    def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        answer = self._client.post(path, json=body)
        answer.raise_for_status()
        return dict(answer.json())
