"""Draw a learning curve: python curve.py curve.csv curve.svg"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

WIDTH, HEIGHT, LEFT, TOP = 560, 240, 48, 24  # pixels; of the space within the axes, and beside it
EVEN = 0.25


def draw(rows: list[dict[str, str]]) -> str:
    """The share of matches won, by decisions, as SVG."""
    last = float(rows[-1]["decisions"])

    def at(decisions: float, won: float) -> str:
        return f"{LEFT + WIDTH * decisions / last:.0f},{TOP + HEIGHT * (1 - won):.0f}"

    def line(ends: list[str], look: str) -> str:
        return f'<polyline points="{" ".join(ends)}" fill="none" {look}/>'

    parts = [f'<rect width="{WIDTH + 2 * LEFT}" height="{HEIGHT + 3 * TOP}" fill="#fff"/>']
    for share in (0, 0.25, 0.5, 0.75, 1):
        parts.append(line([at(0, share), at(last, share)], 'stroke="#ddd"'))
        parts.append(
            f'<text x="{LEFT - 6}" y="{TOP + HEIGHT * (1 - share) + 4:.0f}" text-anchor="end">{share:.0%}</text>'
        )
    parts.append(line([at(0, EVEN), at(last, EVEN)], 'stroke="#888" stroke-dasharray="4"'))
    points = [at(float(row["decisions"]), float(row["won"])) for row in rows]
    parts.append(line(points, 'stroke="#06c" stroke-width="2"'))
    below = f'y="{HEIGHT + 2 * TOP}"'
    parts.append(f'<text x="{LEFT}" {below}>0</text>')
    said = f"{last / 1e6:.1f} million decisions, {float(rows[-1]['processor']):.0f} s of processor time"
    parts.append(f'<text x="{LEFT + WIDTH}" {below} text-anchor="end">{said}</text>')
    parts.append(
        f'<text x="{LEFT}" y="16">matches won against three random players, in training; dashed: even</text>'
    )
    size = f'width="{WIDTH + 2 * LEFT}" height="{HEIGHT + 3 * TOP}"'
    style = 'font-family="sans-serif" font-size="13"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>\n' + "\n".join(parts) + "\n</svg>\n"


def main() -> None:
    source, target = map(Path, sys.argv[1:])
    with source.open(encoding="utf-8", newline="") as file:
        target.write_text(draw(list(csv.DictReader(file))), encoding="utf-8")


if __name__ == "__main__":
    main()
