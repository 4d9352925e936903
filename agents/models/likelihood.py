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
from pydantic import BaseModel

from agents.models.faults import ModelFault
from agents.models.scripts import ModelQuestion

_TOLD = 400
"""So many tokens' probabilities are told; less likely ones count as the least of them."""
_LONGEST, _TRIED = 12, 20
"""Tokens of a proposed command, and beginnings of one that are tried at most."""
_SURELY = "look"
"""A text whose end in a conversation shows how answers end."""
_STOPS = ("\n", "<|", "</")


class Scored(BaseModel):
    """A command, and the logarithm of its probability."""

    command: str
    logarithm: float


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
        self._client = httpx.Client(timeout=seconds, trust_env=False)
        self._read = self._asked = 0

    def answer(self, question: ModelQuestion) -> AIMessage:
        """The likelihoods as a message, with the tokens that it took."""
        *said, (_, last) = question.messages
        wanted = LikelihoodQuestion.of(last)
        self._read = self._asked = 0
        talk = [{"role": role, "content": text} for role, text in said]
        before = self._post("/apply-template", {"messages": talk})["prompt"]
        prefix, end = self._tokens(before), self._end(talk, before)
        scores = self._scores(prefix, wanted.commands, end)
        found = Likelihoods(
            commands=[Scored(command=one, logarithm=scores[one]) for one in wanted.commands],
            proposed=list(islice(self._proposals(prefix, wanted.but), wanted.propose)),
        )
        total = len(prefix) + self._asked
        usage = {
            "input_tokens": total,
            "output_tokens": self._asked,
            "total_tokens": total + self._asked,
            "input_token_details": {"cache_read": max(0, total - self._read)},
        }
        return AIMessage(found.model_dump_json(), usage_metadata=usage)

    def _end(self, talk: Sequence[dict[str, str]], before: str) -> int | None:
        """The token that ends an answer of this model; None where nobody can tell."""
        spoken = [
            *talk,
            {"role": "assistant", "content": _SURELY},
            {"role": "user", "content": "-"},
        ]
        whole = self._post("/apply-template", {"messages": spoken})["prompt"]
        if not whole.startswith(before + _SURELY):
            return None
        return next(iter(self._tokens(whole[len(before + _SURELY) :])), None)

    def _scores(
        self, prefix: Sequence[int], commands: Sequence[str], end: int | None
    ) -> dict[str, float]:
        """The logarithm of the probability of each command and its end."""
        known: dict[tuple[int, ...], dict[int, float]] = {}
        ended = [] if end is None else [end]
        tokens = {command: [*self._tokens(command), *ended] for command in commands}
        # Neighbours share what the server has read.
        for command in sorted(commands, key=tokens.__getitem__):
            for at in range(len(tokens[command])):
                node = tuple(tokens[command][:at])
                if node not in known:
                    known[node] = self._following([*prefix, *node])
        found = {}
        for command, path in tokens.items():
            nodes = (known[tuple(path[:at])] for at in range(len(path)))
            found[command] = sum(
                node.get(token, min(node.values(), default=-20.0))
                for token, node in zip(path, nodes, strict=True)
            )
        return found

    def _following(self, tokens: Sequence[int]) -> dict[int, float]:
        """The likeliest next tokens, and the logarithms of their probabilities."""
        told = self._complete(tokens, 1, n_probs=_TOLD, samplers=[]).get("completion_probabilities")
        first = (told or [{}])[0]
        return {one["id"]: one["logprob"] for one in first.get("top_logprobs", [])}

    def _proposals(self, prefix: Sequence[int], but: Sequence[str]) -> Iterator[str]:
        """What begins with each of the likeliest tokens and goes on by the likeliest."""
        likely = self._following(prefix)
        for token in sorted(likely, key=likely.__getitem__, reverse=True)[:_TRIED]:
            begun = str(self._post("/detokenize", {"tokens": [token]})["content"])
            if begun.strip().lower() in but:
                continue
            written = self._complete([*prefix, token], _LONGEST, stop=list(_STOPS))["content"]
            yield " ".join(f"{begun}{written}".split())

    def _complete(self, tokens: Sequence[int], count: int, **more: Any) -> dict[str, Any]:
        asked = {"prompt": list(tokens), "n_predict": count, "temperature": 0, "cache_prompt": True}
        told = self._post("/completion", {**asked, **more})
        self._asked += 1
        self._read += int(told.get("timings", {}).get("prompt_n", len(tokens)))
        return told

    def _tokens(self, text: str) -> list[int]:
        asked = {"content": text, "parse_special": True}
        return list(self._post("/tokenize", asked)["tokens"])

    def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        url, key = self._endpoint()
        headers = {"authorization": f"Bearer {key}"} if key else {}
        try:
            answer = self._client.post(url.rstrip("/") + path, json=body, headers=headers)
            answer.raise_for_status()
            return dict(answer.json())
        except httpx.TimeoutException as error:
            raise ModelFault("timeout", f"no answer to {path}", transient=True) from error
        except httpx.HTTPStatusError as error:
            status = error.response.status_code
            raise ModelFault("refused", f"{path}: status {status}", transient=False) from error
        except (httpx.HTTPError, ValueError) as error:
            raise ModelFault("down", f"{path}: {error}", transient=True) from error
