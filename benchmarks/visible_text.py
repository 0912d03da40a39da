"""The visible text of a page, inside and outside of the article."""

from collections.abc import Iterator

from turbohtml.saxparse import Characters, EndElement, StartElement, iter_events

# Elements that do not separate words, as in <b>W</b>ord.
INLINE_TAGS = (
    "a abbr acronym b bdi bdo big blink cite code del dfn em font i ins kbd label mark nobr q s "
    "samp small span strike strong sub sup time tt u var wbr"
)
HIDDEN_TAGS = "head iframe noscript script style template"

INLINE = frozenset(INLINE_TAGS.split())
HIDDEN = frozenset(HIDDEN_TAGS.split())


def visible_text(html: str) -> str:
    """Return the text of a page, with line breaks around elements that are not inline.

    >>> visible_text("<ul><b>W</b>ord<li>one</ul>two<script>three</script>").split()
    ['Word', 'one', 'two']
    """
    return "".join(visible_pieces(html))


def visible_pieces(html: str) -> Iterator[str]:
    """Yield the text between tags; turbohtml's own to_text() omits some of it."""
    hidden_depth = 0
    for event in iter_events(html):
        if isinstance(event, Characters):
            if not hidden_depth:
                yield event.data
        elif isinstance(event, StartElement | EndElement):
            if event.tag in HIDDEN:
                hidden_depth += 1 if isinstance(event, StartElement) else -1
            elif event.tag not in INLINE:
                yield "\n"
