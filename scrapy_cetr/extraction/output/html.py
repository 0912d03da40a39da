"""Write blocks as minimal HTML, without scripts or event handlers."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from scrapy_cetr.extraction.html.details import Image
from scrapy_cetr.extraction.output.blocks import Block, Break, Part, Run, Step

# The order in which emphasis is nested, the outermost first.
_MARKS = ("del", "strong", "em", "sub", "sup", "code")
# The elements that others have to be in.
_PARENTS = {"li": ("ul", "ol"), "dt": ("dl",), "dd": ("dl",), "td": ("tr",), "th": ("tr",)}
# Text directly in these needs no paragraph around it.
_HOLDERS = frozenset(("li", "td", "th", "dt", "dd"))


def write_html(blocks: Sequence[Block]) -> str:
    """Write blocks as HTML, with no elements and attributes but those named in this package."""
    written: list[str] = []
    paths = [_whole(block.path) for block in blocks]
    path: tuple[Step, ...] = ()
    for index, block in enumerate(blocks):
        if paths[index] != path:
            written += _moved(path, paths[index])
            path = paths[index]
        if not block.leaf and (_is_alone(paths, index) or _is_picture(block, paths[index])):
            written.append(_inline(block.parts))
        else:
            name = block.leaf or "p"
            inner = _inline(block.parts, preformatted=name == "pre")
            written.append(f"<{name}>{inner}</{name}>\n")
    written += _moved(path, ())
    return "".join(written).strip()


def _whole(path: tuple[Step, ...]) -> tuple[Step, ...]:
    """Add missing lists around items, and leave out cells and rows without a table."""
    whole: list[Step] = []
    for step in path:
        parents = _PARENTS.get(step.name)
        if parents and (not whole or whole[-1].name not in parents):
            if parents == ("tr",):
                continue
            whole.append(Step(parents[0], -2))
        elif step.name == "tr" and (not whole or whole[-1].name != "table"):
            continue
        whole.append(step)
    return tuple(whole)


def _moved(path: Sequence[Step], wanted: Sequence[Step]) -> list[str]:
    """Return the tags that close the elements of one path and open those of another."""
    shared = 0
    while shared < min(len(path), len(wanted)) and path[shared] == wanted[shared]:
        shared += 1
    closed = [f"</{step.name}>\n" for step in reversed(path[shared:])]
    return closed + [
        f"{'<td></td>' * step.skipped}<{step.name}{step.attributes}>" for step in wanted[shared:]
    ]


def _is_alone(paths: Sequence[tuple[Step, ...]], index: int) -> bool:
    """Tell whether a block is the only one directly in its item or cell."""
    own = paths[index]
    if not own or own[-1].name not in _HOLDERS:
        return False
    return own not in (*paths[max(index - 1, 0) : index], *paths[index + 1 : index + 2])


def _is_picture(block: Block, path: Sequence[Step]) -> bool:
    """Tell whether a block is the picture of a figure, which needs no paragraph around it."""
    in_figure = bool(path) and path[-1].name == "figure"
    return in_figure and all(isinstance(part, Image) for part in block.parts)


def _inline(parts: Sequence[Part], *, preformatted: bool = False) -> str:
    if len(parts) == 1 and isinstance(only := parts[0], Run) and not only.link:
        return _part(only, preformatted=preformatted)
    written: list[str] = []
    link: str | None = None
    for part in parts:
        wanted = part.link if isinstance(part, Run) else None
        if wanted != link:
            written.append("</a>" if link else "")
            written.append(f'<a href="{escape(wanted)}">' if wanted else "")
            link = wanted
        written.append(_part(part, preformatted=preformatted))
    written.append("</a>" if link else "")
    return "".join(written)


def _part(part: Part, *, preformatted: bool) -> str:
    if isinstance(part, Image):
        return f'<img src="{escape(part.url)}" alt="{escape(part.alt)}">'
    if isinstance(part, Break):
        return "\n" if preformatted else "<br>"
    if not part.marks:
        return escape(part.text, quote=False)
    marks = [mark for mark in _MARKS if mark in part.marks]
    opened = "".join(f"<{mark}>" for mark in marks)
    closed = "".join(f"</{mark}>" for mark in reversed(marks))
    return f"{opened}{escape(part.text, quote=False)}{closed}"
