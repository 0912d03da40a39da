"""Write blocks as Markdown: CommonMark, with pipe tables."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import groupby

from scrapy_cetr.extraction.html.details import Image
from scrapy_cetr.extraction.output.blocks import Block, Break, Part, Run, Step

_SPECIAL = re.compile(r"([\\`*_\[\]<>&|~])")
# At the beginning of a line, these make headings, lists, rules and more.
_OPENING = re.compile(r"^(?:([#+\-=])|(\d{1,9})([.)]))")
_UNSAFE_IN_URL = re.compile(r"[\s<>()\\\"`{}|^\x00-\x1f\x7f]")
_DELIMITERS = {
    frozenset(("em",)): "*",
    frozenset(("strong",)): "**",
    frozenset(("em", "strong")): "***",
}
# CommonMark knows numbers of at most nine digits.
_MAX_NUMBER = 999_999_999
_EMPHASIS, _CODE = frozenset(("em", "strong")), frozenset(("code",))


def write_markdown(blocks: Sequence[Block]) -> str:
    """Write blocks as Markdown, with a blank line between them, or none between items of a list."""
    written: list[str] = []
    seen: set[int] = set()
    last: Block | None = None
    for table, group in groupby(blocks, _table_of):
        rows = list(group)
        for block in rows if table is None else rows[:1]:
            text = _leaf(block) if table is None else _table(rows, table)
            written.append(_between(last, block))
            written.append(_in_containers(block, text, seen, outside=table))
            last = block
    return "".join(written)


def _between(last: Block | None, block: Block) -> str:
    """Return the separator of two blocks; a quotation around both continues in it."""
    if last is None:
        return ""
    items = _is_item(last) and _is_item(block) and last.path != block.path
    if items and last.path[:-1] == block.path[:-1]:
        return "\n"
    if _is_defined(last, block):
        return "\n"
    prefix = ""
    for one, other in zip(last.path, block.path, strict=False):
        if one != other:
            break
        prefix += {"blockquote": "> ", "li": "   "}.get(one.name, "")
    return f"\n{prefix.rstrip()}\n"


def _is_defined(last: Block, block: Block) -> bool:
    """Tell whether a block is the definition of a term or another one of the same."""
    return (
        bool(last.path and block.path)
        and last.path[-1].name in ("dt", "dd")
        and block.path[-1].name == "dd"
        and last.path != block.path
        and last.path[:-1] == block.path[:-1]
        and not last.leaf
        and not block.leaf
    )


def _is_item(block: Block) -> bool:
    return bool(block.path) and block.path[-1].name == "li" and not block.leaf


def _table_of(block: Block) -> Step | None:
    return next((step for step in block.path if step.name == "table"), None)


def _in_containers(block: Block, text: str, seen: set[int], *, outside: Step | None = None) -> str:
    """Indent a block by the lists and quotations around it; an item has its mark only once."""
    if not block.path:
        return text
    first = later = ""
    kind = "ul"
    for step in block.path:
        if step == outside:
            break
        if step.name in ("ul", "ol"):
            kind = step.name
        elif step.name == "dd" and block.leaf == "pre":
            # CommonMark does not know the mark, and would take the code after it for HTML.
            seen.add(step.node)
        elif step.name in ("li", "dd"):
            mark = _mark(step, kind)
            first += " " * len(mark) if step.node in seen else mark
            later += " " * len(mark)
            seen.add(step.node)
        elif step.name == "blockquote":
            first += "> "
            later += "> "
    lines = text.split("\n")
    return "\n".join(
        (first if number == 0 else later) + line if line else later.rstrip()
        for number, line in enumerate(lines)
    )


def _mark(step: Step, kind: str) -> str:
    if step.name == "dd":
        # Pandoc and others know it; elsewhere, it is readable.
        return ": "
    return f"{min(max(step.number, 0), _MAX_NUMBER)}. " if kind == "ol" else "- "


def _leaf(block: Block) -> str:
    if block.leaf == "pre":
        code = _code_text(block)
        fence = "`" * max(3, _longest_run(code) + 1)
        return f"{fence}\n{code}\n{fence}"
    if block.leaf.startswith("h"):
        line = _inline(block.parts, line_end=" ")
        return f"{'#' * int(block.leaf[1])} {_closed(line)}"
    return _inline(block.parts, line_end="\\\n")


def _closed(heading: str) -> str:
    """Escape the number signs at the end of a heading, which would be taken for its end."""
    return re.sub(r"(#+)$", lambda found: "\\#" * len(found[0]), heading)


def _code_text(block: Block) -> str:
    pieces = [part.text if isinstance(part, Run) else "\n" for part in block.parts]
    lines = "".join(pieces).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(line.rstrip() for line in lines).strip("\n")


def _longest_run(code: str) -> int:
    return max((len(run) for run in re.findall("`+", code)), default=0)


def _inline(parts: Sequence[Part], *, line_end: str) -> str:
    """Write the parts of a block, line by line."""
    if len(parts) == 1 and isinstance(only := parts[0], Run) and not (only.marks or only.link):
        # Most blocks are plain text.
        return _OPENING.sub(_escaped_opening, _escape(only.text))
    lines: list[str] = []
    for is_break, line in groupby(_simple(parts), lambda part: isinstance(part, Break)):
        if not is_break:
            lines.append(_OPENING.sub(_escaped_opening, _line(list(line))))
    return line_end.join(lines)


def _simple(parts: Iterable[Part]) -> list[Part]:
    """Remove the marks that Markdown does not know, and all marks inside of code."""
    simple: list[Part] = []
    for part in parts:
        if isinstance(part, Run):
            marks = _CODE if "code" in part.marks else part.marks & _EMPHASIS
            if marks != part.marks:
                part = part._replace(marks=marks)
            last = simple[-1] if simple else None
            if isinstance(last, Run) and last[1:] == part[1:]:
                simple[-1] = last._replace(text=last.text + part.text)
                continue
        simple.append(part)
    return simple


def _escaped_opening(found: re.Match[str]) -> str:
    return f"\\{found[1]}" if found[1] else f"{found[2]}\\{found[3]}"


def _line(parts: Sequence[Part]) -> str:
    written: list[str] = [""]
    for link, group in groupby(parts, lambda part: part.link if isinstance(part, Run) else None):
        text = _runs(list(group), written[-1][-1:])
        inner = text.strip(" ")
        if link and inner:
            before, after = _spaces_around(text)
            _keep_from_image(written)
            text = f"{before}[{inner}]({_escape_url(link)}){after}"
        if text:
            written.append(text)
    return "".join(written)


def _keep_from_image(written: list[str]) -> None:
    """Escape an exclamation mark before a bracket, which would make an image of a link."""
    if written[-1].endswith("!"):
        written[-1] = f"{written[-1][:-1]}\\!"


def _spaces_around(text: str) -> tuple[str, str]:
    return text[: len(text) - len(text.lstrip(" "))], text[len(text.rstrip(" ")) :]


def _runs(parts: Sequence[Part], before: str) -> str:
    """Write runs, with their emphasis where CommonMark recognises it."""
    written: list[str] = [before]
    for index, part in enumerate(parts):
        if isinstance(part, Image):
            _keep_from_image(written)
            written.append(f"![{_escape(part.alt)}]({_escape_url(part.url)})")
        elif isinstance(part, Run):
            follows = parts[index + 1] if index + 1 < len(parts) else None
            after = follows.text[:1] if isinstance(follows, Run) else ""
            written.append(_run(part, written[-1][-1:], after))
    return "".join(written[1:])


def _run(run: Run, before: str, after: str) -> str:
    inner = run.text.strip(" ")
    if not inner:
        return run.text
    start, end = _spaces_around(run.text)
    delimiter = _DELIMITERS.get(run.marks, "")
    if run.marks == _CODE:
        return f"{start}{_code_span(inner)}{end}"
    if delimiter and _flanked(start[-1:] or before, inner, end[:1] or after):
        return f"{start}{delimiter}{_escape(inner)}{delimiter}{end}"
    return f"{start}{_escape(inner)}{end}"


def _flanked(before: str, inner: str, after: str) -> bool:
    """Tell whether delimiters around a text open and close emphasis, by CommonMark's rules."""
    if before in ("*", "`", "\\") or after in ("*", "`"):
        return False
    opens = not _is_mark(inner[0]) or not before or before.isspace() or _is_mark(before)
    closes = not _is_mark(inner[-1]) or not after or after.isspace() or _is_mark(after)
    return opens and closes and not inner[0].isspace() and not inner[-1].isspace()


def _is_mark(char: str) -> bool:
    return unicodedata.category(char)[0] in "PS"


def _code_span(text: str) -> str:
    fence = "`" * (_longest_run(text) + 1)
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{space}{text}{space}{fence}"


def _escape(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)


def _escape_url(url: str) -> str:
    return _UNSAFE_IN_URL.sub(lambda found: "".join(f"%{b:02X}" for b in found[0].encode()), url)


def _table(blocks: Sequence[Block], table: Step) -> str:
    """Write a table; its first row is the header, which Markdown requires."""
    rows: list[list[str]] = []
    row_node = cell_node = -1
    for block in blocks:
        inside = block.path[block.path.index(table) + 1 :]
        row, cell = inside[0].node, inside[1]
        text = _inline(block.parts, line_end=" ").strip()
        if row != row_node:
            rows.append([])
        if row != row_node or cell.node != cell_node:
            # Cells without text have no blocks.
            rows[-1] += [""] * (cell.number - len(rows[-1]))
            rows[-1].append(text)
        else:
            rows[-1][-1] += f" {text}"
        row_node, cell_node = row, cell.node
    width = max(map(len, rows))
    # Shorter rows are filled up by readers of Markdown; only the header has to be complete.
    rows[0] += [""] * (width - len(rows[0]))
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join((lines[0], "|" + " --- |" * width, *lines[1:]))
