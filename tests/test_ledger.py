"""The ledger of experiments holds what its format asks for."""

from __future__ import annotations

import json
import re

import pytest
from pydantic import ValidationError

from benchmarks.ledger import LEDGER, Experiment, experiments, table

ROW = json.loads(LEDGER.read_text(encoding="utf-8").splitlines()[0])


def test_every_row_fits_and_the_oldest_stand_first() -> None:
    days = [one.date for one in experiments()]
    assert len(days) >= 25
    assert days == sorted(days)


def test_the_table_has_a_line_for_every_row_and_the_same_columns_in_each() -> None:
    heading, rule, *lines = table(experiments()).splitlines()
    assert len(lines) == len(experiments())
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in lines} == {heading.count("|")}
    assert rule.count("|") == heading.count("|")


@pytest.mark.parametrize(
    "wrong",
    [
        {"verdict": "maybe"},
        {"interval": [2.0, 1.0]},
        {"figure": None, "interval": [0.0, 1.0]},
        {"commit": "HEAD"},
        {"looks": 0},
        {"surprise": "yes"},
        {"hypothesis": ""},
    ],
)
def test_a_row_that_does_not_fit_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Experiment.model_validate_json(json.dumps({**ROW, **wrong}))
