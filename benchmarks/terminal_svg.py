"""A moving picture of a terminal: SVG with styles alone, which runs wherever pictures are shown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import pairwise
from typing import NamedTuple

from rich.style import Style
from rich.terminal_theme import TerminalTheme
from rich.text import Text

THEME = TerminalTheme(
    (24, 26, 31),
    (214, 218, 224),
    [
        *((70, 76, 86), (224, 108, 117), (139, 195, 74), (229, 192, 123)),
        *((97, 175, 239), (198, 120, 221), (86, 182, 194), (200, 204, 212)),
    ],
)
LETTER, LINE, EDGE = 8.0, 18, 16
"""Pixels: the width of a letter, the height of a line, the margin."""
BAR = 30
"""Pixels of the window's title bar."""


class Frame(NamedTuple):
    """What stands on the screen for a while."""

    lines: int
    """So many lines of the log have been printed."""
    status: Sequence[Text]
    """The lines under it, which change in place."""
    seconds: float


def moving(log: Sequence[Text], frames: Sequence[Frame], title: str, size: tuple[int, int]) -> str:
    """The picture, in a window of so many columns and rows; it begins again when it has ended."""
    columns, rows = size
    below = max(len(frame.status) for frame in frames)
    above = rows - below
    width, height = columns * LETTER + 2 * EDGE, BAR + rows * LINE + EDGE
    scrolled = [(frame.lines - above) * LINE for frame in frames]
    turned = [number * below * LINE for number in range(len(frames))]
    statuses = [line for frame in frames for line in [*frame.status, *[Text()] * below][:below]]
    seconds = sum(frame.seconds for frame in frames)
    styles = _Styles()
    shown = _lines(log, styles), _lines(statuses, styles)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
            f'width="{width:g}" height="{height:g}" role="img">',
            f"<title>{escape(title)}</title>",
            "<style>",
            "text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',"
            f"monospace;white-space:pre;fill:{_hex(THEME.foreground_color)}}}",
            *styles.rules(),
            _keyframes("log", scrolled, frames, seconds),
            _keyframes("status", turned, frames, seconds),
            "@media(prefers-reduced-motion:reduce){.log,.status{animation-delay:-"
            f"{seconds - 0.01:.2f}s;animation-play-state:paused}}}}",
            "</style>",
            f'<rect width="100%" height="100%" rx="8" fill="{_hex(THEME.background_color)}"/>',
            *_buttons(),
            f'<text x="{width / 2:g}" y="20" text-anchor="middle" class="title">'
            f"{escape(title)}</text>",
            _window(EDGE, BAR, columns, above, "log", shown[0]),
            _window(EDGE, BAR + above * LINE, columns, below, "status", shown[1]),
            "</svg>\n",
        ]
    )


class _Styles:
    """Classes for the styles that occur."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def name(self, style: Style) -> str:
        """The class of a style; empty for plain text."""
        rule = ";".join(_rules(style))
        return self._names.setdefault(rule, f"c{len(self._names)}") if rule else ""

    def rules(self) -> list[str]:
        """All of them."""
        return [".title{opacity:.7}", *(f".{name}{{{rule}}}" for rule, name in self._names.items())]


def _rules(style: Style) -> Iterable[str]:
    if style.color and not style.color.is_default:
        yield f"fill:{_hex(style.color.get_truecolor(THEME))}"
    if style.bold:
        yield "font-weight:bold"
    if style.italic:
        yield "font-style:italic"
    if style.dim:
        yield "opacity:.6"


def _lines(lines: Sequence[Text], styles: _Styles) -> list[str]:
    found = []
    for number, line in enumerate(lines):
        column = 0
        for text, style in _parts(line):
            if text.strip():
                name = styles.name(style)
                named = f' class="{name}"' if name else ""
                found.append(
                    f'<text x="{column * LETTER:g}" y="{number * LINE + 13}" '
                    f'textLength="{len(text) * LETTER:g}"{named}>{escape(text)}</text>'
                )
            column += len(text)
    return found


def _parts(line: Text) -> Iterable[tuple[str, Style]]:
    """The pieces of a line with their styles."""
    ends = {span.start for span in line.spans} | {span.end for span in line.spans}
    for start, end in pairwise(sorted({0, len(line.plain), *ends})):
        styles = [span.style for span in line.spans if span.start <= start and end <= span.end]
        parsed = [Style.parse(one) if isinstance(one, str) else one for one in styles]
        yield line.plain[start:end], Style.combine([Style.null(), *parsed])


def _keyframes(name: str, offsets: Sequence[int], frames: Sequence[Frame], seconds: float) -> str:
    """A jump to every frame's offset when its time has come."""
    told, passed = [], 0.0
    for offset, frame in zip(offsets, frames, strict=True):
        told.append(f"{100 * passed / seconds:.3f}%{{transform:translateY({-offset}px)}}")
        passed += frame.seconds
    told.append(f"100%{{transform:translateY({-offsets[-1]}px)}}")
    run = f".{name}{{animation:{name} {seconds:.2f}s steps(1,end) infinite}}"
    return f"@keyframes {name}{{{''.join(told)}}}{run}"


def _window(x: int, y: int, columns: int, rows: int, name: str, lines: Iterable[str]) -> str:
    """A part of the screen, through which lines move."""
    size = f'width="{columns * LETTER:g}" height="{rows * LINE}"'
    return f'<svg x="{x}" y="{y}" {size}><g class="{name}">{"".join(lines)}</g></svg>'


def _buttons() -> list[str]:
    colours = ("#ff5f57", "#febc2e", "#28c840")
    return [
        f'<circle cx="{EDGE + 18 * n}" cy="16" r="6" fill="{c}"/>' for n, c in enumerate(colours)
    ]


def _hex(colour: Iterable[int]) -> str:
    return "#" + "".join(f"{part:02x}" for part in colour)
