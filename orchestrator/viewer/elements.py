"""The few SVG elements that our drawings are made of, with all texts escaped."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from orchestrator.viewer.metrics import Box, Point
from orchestrator.viewer.words import plain

PAPER = "#fbfaf7"
_MARGIN = 16
_STYLE = f"""
svg {{ background: {PAPER}; font-family: "DejaVu Sans", Verdana, sans-serif }}
.label {{ font-size: 11.5px; fill: #4a5568; text-anchor: middle;
  stroke: {PAPER}; stroke-width: 3; paint-order: stroke }}"""


def document(view: Box, style: str, arrows: Iterable[str], parts: Iterable[str]) -> str:
    """A whole SVG document that shows a part of the plane; arrow heads are told by colour."""
    x, y, width, height = (f"{number:.0f}" for number in view.around(_MARGIN))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="{x} {y} {width} {height}" role="img">',
            f"<style>{_STYLE}{style}</style><defs>{''.join(map(_arrow, arrows))}</defs>",
            f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{PAPER}"/>',
            *parts,
            "</svg>\n",
        ]
    )


def _arrow(colour: str) -> str:
    return (
        f'<marker id="arrow-{colour[1:]}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="9" '
        'markerHeight="9" markerUnits="userSpaceOnUse" orient="auto">'
        f'<path d="M0,0 L10,5 L0,10 z" fill="{colour}"/></marker>'
    )


def path(kind: str, points: Iterable[Point], arrow: str = "", told: str = "") -> str:
    """A line through points; `arrow` is the colour of its head, `told` what it says of itself."""
    way = "M" + " L".join(f"{x:.0f},{y:.0f}" for x, y in points)
    head = f' marker-end="url(#arrow-{arrow[1:]})"' if arrow else ""
    return f'<path class="{kind}" d="{way}"{head}>{title(told) if told else ""}</path>'


def rectangle(kind: str, box: Box) -> str:
    """A box with round corners."""
    size = f'width="{box.width:.0f}" height="{box.height:.0f}"'
    return f'<rect class="{kind}" x="{box.x:.0f}" y="{box.y:.0f}" {size} rx="6"/>'


def circle(kind: str, centre: Point, radius: float) -> str:
    """A circle."""
    return f'<circle class="{kind}" cx="{centre[0]:.0f}" cy="{centre[1]:.0f}" r="{radius:.0f}"/>'


def text(kind: str, spot: Point, said: str) -> str:
    """A line of text whose middle is at a spot."""
    return f'<text class="{kind}" x="{spot[0]:.0f}" y="{spot[1]:.0f}">{escape(plain(said))}</text>'


def title(said: str) -> str:
    """What an element says of itself when one points at it."""
    return f"<title>{escape(plain(said))}</title>"
