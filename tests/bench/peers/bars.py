"""A picture of ratios: a row for each case, a bar for each tool, on a logarithmic scale on which ours is 1."""

from __future__ import annotations

import math
import statistics
from pathlib import Path

from jinja2 import Environment

TEMPLATE = Path(__file__).with_name("bars.svg.jinja")
# of the palette of Okabe and Ito
COLOURS = ("#000000", "#D55E00", "#E69F00", "#009E73", "#56B4E9", "#0072B2", "#CC79A7", "#999999")
LEFT, WIDTH, BAR, GAP, TOP = 130, 640, 5, 6, 60


def bars(ratios: dict[str, dict[str, float]]) -> str:
    """The SVG of ratios, by case and by tool; the geometric means come first."""
    tools = list(dict.fromkeys(tool for found in ratios.values() for tool in found))
    colours = dict(zip(tools, COLOURS, strict=False))
    of_tool = {tool: [found[tool] for found in ratios.values() if tool in found] for tool in tools}
    rows = {"geometric mean": {tool: statistics.geometric_mean(all) for tool, all in of_tool.items()}, **ratios}
    exponents = [math.log10(value) for found in rows.values() for value in found.values()]
    low, high = math.floor(min(exponents)), math.ceil(max(exponents))

    def place(value: float) -> float:
        return round(LEFT + (math.log10(value) - low) / (high - low) * WIDTH, 1)

    def bar(tool: str, value: float, y: float) -> dict[str, object]:
        ends = sorted((place(value), place(1)))
        width = round(ends[1] - ends[0], 1)
        return {"x": ends[0], "y": y, "width": width, "tool": tool, "colour": colours[tool], "value": f"{value:.2g}"}

    drawn, y = [], TOP
    for case, found in rows.items():
        of_case = [bar(tool, value, y + i * BAR) for i, (tool, value) in enumerate(found.items())]
        drawn.append({"case": case, "y": y + BAR * len(found) / 2, "bars": of_case})
        y += BAR * len(found) + GAP
    powers = [10.0**k for k in range(low, high + 1)]
    template = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True)
    sizes = {"top": TOP, "bar": BAR, "bottom": y, "left": LEFT, "width": LEFT + WIDTH + 30}
    ticks = [(f"{p:g}", place(p)) for p in powers]
    return template.from_string(TEMPLATE.read_text()).render(
        rows=drawn, colours=colours, ticks=ticks, one=place(1), **sizes
    )
