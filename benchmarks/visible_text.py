"""All text that a reader of a page sees, whether or not it belongs to an article."""

from collections.abc import Iterator

from turbohtml.saxparse import Characters, EndElement, StartElement, iter_events

# What does not break a word in two, as in <b>W</b>ord.
INLINE_TAGS = (
    "a abbr acronym b bdi bdo big blink cite code del dfn em font i ins kbd label mark nobr q s "
    "samp small span strike strong sub sup time tt u var wbr"
)
UNSEEN_TAGS = "head iframe noscript script style template"

INLINE = frozenset(INLINE_TAGS.split())
UNSEEN = frozenset(UNSEEN_TAGS.split())


def visible_text(html: str) -> str:
    """Give the text of a page with a line break around all that is not inline.

    >>> visible_text("<ul><b>W</b>ord<li>one</ul>two<script>three</script>").split()
    ['Word', 'one', 'two']
    """
    return "".join(visible_pieces(html))


def visible_pieces(html: str) -> Iterator[str]:
    """Give the pieces of text between tags; turbohtml's own to_text() leaves some of them out."""
    unseen_depth = 0
    for event in iter_events(html):
        if isinstance(event, Characters):
            if not unseen_depth:
                yield event.data
        elif isinstance(event, StartElement | EndElement):
            if event.tag in UNSEEN:
                unseen_depth += 1 if isinstance(event, StartElement) else -1
            elif event.tag not in INLINE:
                yield "\n"
