"""Templates that somebody else wrote: filled in a bounded time and room, or told in one line."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from prompts.rendering import PromptError, render

GIANTS = {
    "a wide number": '{{ "%1000000000d" % 1 }}',
    "a wide number by filter": '{{ "%-1000000000s"|format("a") }}',
    "a width given": '{{ "%*d" % (1000000000, 1) }}',
    "a wide field": '{{ "{:>1000000000}".format(1) }}',
    "a text many times": '{{ "a" * 10 ** 9 }}',
    "a list many times": "{{ ([1] * 10 ** 9)|length }}",
    "a number of many digits": "{{ 9 ** 9 ** 9 }}",
    "the middle of a line": '{{ "a"|center(1000000000) }}',
    "its middle as a method": '{{ "a".center(1000000000) }}',
    "stops of a tab": '{{ "\t".expandtabs(1000000000) }}',
    "zeros": '{{ "1".zfill(1000000000) }}',
    "twice as long every time": "{% set a = 'abcdefgh' %}" + "{% set a = a ~ a %}" * 40 + "{{ a }}",
    "the same with a sum": "{% set a = 'abcdefgh' %}" + "{% set a = a + a %}" * 40 + "{{ a }}",
    "each letter a text": "{% set a = 'aaaaaaaaaa' %}" + "{% set a = a|replace('a', a) %}" * 5,
    "loops within loops": "{% for a in range(1000) %}" * 4 + "{% endfor %}" * 4,
    "loops over a text": "{% for a in 'abcdefghijklmnopqrst' %}" * 9 + "{% endfor %}" * 9,
    "a macro that calls itself twice": "{% macro m(n) %}{{ m(n - 1) if n }}{{ m(n - 1) if n }}"
    "{% endmacro %}{{ m(60) }}",
    "long lists again and again": "{% for a in range(9000) %}{{ range(99999)|list|length }}"
    "{% endfor %}",
    "sorted again and again": "{% set a = 'ab' * 90000 %}{% for b in range(9000) %}"
    "{{ a|sort|length }}{% endfor %}",
    "random words": "{{ lipsum(n=1000000) }}",
    "a loop that calls itself": "{% for a in [1] recursive %}{{ loop([1, 1]) }}{% endfor %}",
    "itself within itself": '{% include "mine.md" %}{% include "mine.md" %}',
    "a division by nothing": "{{ 1 / 0 }}",
}


@dataclass(frozen=True)
class Nothing:
    turn: int = 3


def filled(template: str, folder: Path) -> str:
    path = folder / "mine.md"
    path.write_text(template, encoding="utf-8")
    return render(str(path), Nothing()).user


@pytest.mark.parametrize("kind", GIANTS)
def test_a_template_makes_no_giants(kind: str, tmp_path: Path) -> None:
    begun = time.perf_counter()
    with pytest.raises(PromptError) as caught:
        filled(GIANTS[kind], tmp_path)
    assert time.perf_counter() - begun < 3
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("{{ 'a' ~ 1 ~ none ~ 'b' }}", "a1Noneb"),
        ("{{ ['a', 2]|join(', ') }}", "a, 2"),
        ("{{ 'a-b-c'|replace('-', '+') }}", "a+b+c"),
        ("{{ '%+d %s'|format(3, 'x') }} {{ '%05.1f' % 2.5 }}", "+3 x 002.5"),
        (
            "{% for a in 'ab' %}{{ loop.index }}{{ a }}{{ ', ' if not loop.last }}{% endfor %}",
            "1a, 2b",
        ),
        ("{% for a in [3, 1, 2]|sort if a > 1 %}{{ a * 2 }}{{ '-' * a }}{% endfor %}", "4--6---"),
        ("{% macro m(x) %}<{{ x }}>{% endmacro %}{{ m(turn) }}{{ turn ** 2 }}", "<3>9"),
        ("{{ {'a': 1}.items()|list|length }}{{ 'Ab'.lower().split('b')|first }}", "1a"),
    ],
)
def test_what_templates_do_is_as_ever(template: str, text: str, tmp_path: Path) -> None:
    assert filled(template, tmp_path) == text
