"""Figures 13 to 15 of the paper, drawn from other pages, as SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

_WIDTH, _HEIGHT, _MARGIN = 420, 280, 44
_COLOURS = ("#2563eb", "#b45309")
_SHARES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


def line_chart(
    heading: str, axis: str, positions: Sequence[float], lines: Mapping[str, Sequence[float]]
) -> str:
    """Draw one or two lines from 0 to 1 over positions."""
    first, last = positions[0], positions[-1]
    columns = [
        _MARGIN + (one - first) / (last - first) * (_WIDTH - 2 * _MARGIN) for one in positions
    ]
    drawn = [
        f'<text x="{_MARGIN - 6}" y="{_row(one) + 4:.1f}" text-anchor="end">{one:g}</text>'
        f'<path d="M{_MARGIN} {_row(one):.1f}H{_WIDTH - _MARGIN}" stroke="#ddd"/>'
        for one in _SHARES
    ]
    drawn += [
        f'<text x="{x:.1f}" y="{_HEIGHT - _MARGIN + 14}" text-anchor="middle">{one:g}</text>'
        for x, one in zip(columns, positions, strict=True)
    ]
    for number, ((name, values), colour) in enumerate(zip(lines.items(), _COLOURS, strict=False)):
        points = [(x, _row(value), value) for x, value in zip(columns, values, strict=True)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in points)
        drawn.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        drawn += [
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}">'
            f"<title>{name} {value:.3f}</title></circle>"
            for x, y, value in points
        ]
        at = _MARGIN + 8 + number * 90
        drawn.append(f'<text x="{at}" y="{_HEIGHT - _MARGIN - 8}" fill="{colour}">{name}</text>')
    return _frame(heading, axis, "\n".join(drawn))


def _row(share: float) -> float:
    return _HEIGHT - _MARGIN - share * (_HEIGHT - 2 * _MARGIN)


def _frame(heading: str, axis: str, drawn: str) -> str:
    middle = _WIDTH / 2
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}"
  font-family="sans-serif" font-size="11">
<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>
{drawn}
<text x="{middle}" y="24" text-anchor="middle" font-size="13">{heading}</text>
<text x="{middle}" y="{_HEIGHT - 10}" text-anchor="middle">{axis}</text>
</svg>
"""
