"""CSS selectors that are matched on the elements of a page, in time linear in their number.

cssselect parses them. It would translate them to XPath for a tree of lxml, which nests the elements
of a broken page in another way, and counts siblings in quadratic time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from cssselect import parser as css

if TYPE_CHECKING:
    from scrapy_cetr.extraction.sites.elements import Elements

# One byte per element: 1 if it matches.
Flags = bytearray
Match = Callable[["Elements"], Flags]

# A longer selector is a mistake.
MAX_CHARS = 1000


class SelectorError(ValueError):
    """A selector that is not valid, or not supported."""


class Selector:
    """A compiled selector, or a list of selectors with commas between them.

    ``attributes`` are the names of the attributes that it reads.

    >>> sorted(Selector("div.story > p[lang]").attributes)
    ['class', 'lang']
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.attributes: set[str] = set()
        if len(text) > MAX_CHARS:
            raise SelectorError(f"it has more than {MAX_CHARS} characters")
        try:
            trees = css.parse(text)
            matches = [self._compile_whole(tree) for tree in trees]
        except (css.SelectorError, RecursionError) as error:
            raise SelectorError(str(error)) from None
        self._match = _any_of(matches)

    def match(self, elements: Elements) -> list[int]:
        """Return the indices of the elements that match, in order."""
        return [index for index, flag in enumerate(self._match(elements)) if flag]

    def _compile_whole(self, tree: css.Selector) -> Match:
        if tree.pseudo_element is not None:
            raise SelectorError(
                f"::{tree.pseudo_element} is not supported; select the element itself"
            )
        return self._compile(tree.parsed_tree)

    def _compile(self, tree: Any) -> Match:
        """Compile a part of a selector, from left to right."""
        kind = type(tree).__name__
        if kind == "Element":
            return _by_name(tree)
        if kind == "CombinedSelector":
            return _combined(
                self._compile(tree.selector), tree.combinator, self._compile(tree.subselector)
            )
        inner = self._compile(tree.selector)
        if kind == "Relation":
            raise SelectorError(":has() is not supported")
        if kind == "Negation":
            return _without(inner, self._compile(tree.subselector))
        if kind in ("Matching", "SpecificityAdjustment"):
            return _both(inner, _any_of([self._compile(one) for one in tree.selector_list]))
        return _filtered(inner, self._test(kind, tree))

    def _test(self, kind: str, tree: Any) -> Callable[[Elements], Callable[[int], bool]]:
        """Compile a simple selector into a test of single elements."""
        if kind == "Class":
            self.attributes.add("class")
            return _attribute_test("class", lambda value: tree.class_name in value.split())
        if kind == "Hash":
            self.attributes.add("id")
            return _attribute_test("id", lambda value: value == tree.id)
        if kind == "Attrib":
            name = tree.attrib.lower()
            self.attributes.add(name)
            return _attribute_test(name, _value_test(tree))
        if kind == "Pseudo" and tree.ident in _POSITIONS:
            return _position_test(*_POSITIONS[tree.ident])
        if kind == "Function" and tree.name in _NTH:
            of_type, from_end = _NTH[tree.name]
            try:
                series = css.parse_series(tree.arguments)
            except ValueError:
                raise SelectorError(
                    f":{tree.name}() needs a number, 'odd', 'even' or a series such as '2n+1'"
                ) from None
            return _position_test(*series, of_type, from_end)
        if kind in ("Pseudo", "Function"):
            name = tree.ident if kind == "Pseudo" else f"{tree.name}()"
            known = [f":{one}" for one in (*_POSITIONS, *(f"{one}()" for one in _NTH))]
            raise SelectorError(
                f":{name} is not supported; of pseudo-classes, there are"
                f" :not(), :is(), :where(), {', '.join(known)}"
            )
        raise SelectorError(f"{kind} is not supported")


@lru_cache(maxsize=1000)
def compiled(text: str) -> Selector:
    """Compile a selector, once."""
    return Selector(text)


def _by_name(tree: Any) -> Match:
    if tree.namespace:
        raise SelectorError(f"the namespace {tree.namespace!r} is not supported")
    if tree.element is None:
        return lambda elements: Flags(b"\1") * len(elements)
    name = tree.element.lower()
    return lambda elements: Flags(one == name for one in elements.names)


def _filtered(inner: Match, test: Callable[[Elements], Callable[[int], bool]]) -> Match:
    def match(elements: Elements) -> Flags:
        passes = test(elements)
        return Flags(flag and passes(index) for index, flag in enumerate(inner(elements)))

    return match


def _both(one: Match, other: Match) -> Match:
    return lambda elements: Flags(
        a & b for a, b in zip(one(elements), other(elements), strict=True)
    )


def _without(one: Match, other: Match) -> Match:
    return lambda elements: Flags(
        a & (1 - b) for a, b in zip(one(elements), other(elements), strict=True)
    )


def _any_of(matches: Iterable[Match]) -> Match:
    every = list(matches)
    return lambda elements: Flags(
        map(max, zip(*(match(elements) for match in every), strict=True))
        if len(every) > 1
        else every[0](elements)
    )


def _combined(left: Match, combinator: str, right: Match) -> Match:
    """Match elements that have an element of ``left`` as ancestor, parent or earlier sibling."""

    def match(elements: Elements) -> Flags:
        start, end = left(elements), right(elements)
        related = Flags(len(elements))
        siblings = combinator in "+~"
        nearest = elements.siblings.before if siblings else elements.parents
        # The parent and the sibling before an element come before it.
        for index, other in enumerate(nearest):
            if other >= 0:
                related[index] = start[other] | (combinator in " ~" and related[other])
        return Flags(a & b for a, b in zip(end, related, strict=True))

    return match


def _attribute_test(
    name: str, test: Callable[[str], bool]
) -> Callable[[Elements], Callable[[int], bool]]:
    def of(elements: Elements) -> Callable[[int], bool]:
        attributes = elements.attributes
        return lambda index: name in attributes[index] and test(attributes[index][name])

    return of


def _value_test(tree: Any) -> Callable[[str], bool]:
    """Return the test of an attribute's value, such as that of ``[lang|=en]``."""
    if tree.operator == "exists":
        return lambda _: True
    given = getattr(tree.value, "value", tree.value)
    tests: dict[str, Callable[[str], bool]] = {
        "=": lambda value: value == given,
        "!=": lambda value: value != given,
        "~=": lambda value: given in value.split(),
        "|=": lambda value: value == given or value.startswith(f"{given}-"),
        "^=": lambda value: bool(given) and value.startswith(given),
        "$=": lambda value: bool(given) and value.endswith(given),
        "*=": lambda value: bool(given) and given in value,
    }
    return tests[tree.operator]


# The pseudo-classes of positions: every a-th element from the b-th on, of its type or of all
# siblings, from the end or from the beginning.
_POSITIONS = {
    "first-child": (0, 1, False, False),
    "last-child": (0, 1, False, True),
    "first-of-type": (0, 1, True, False),
    "last-of-type": (0, 1, True, True),
}
_NTH = {
    "nth-child": (False, False),
    "nth-last-child": (False, True),
    "nth-of-type": (True, False),
    "nth-last-of-type": (True, True),
}


def _position_test(
    a: int, b: int, of_type: bool, from_end: bool
) -> Callable[[Elements], Callable[[int], bool]]:
    def of(elements: Elements) -> Callable[[int], bool]:
        found = elements.siblings
        index = found.index_of_type if of_type else found.index
        last = found.last_of_type if of_type else found.last

        def test(element: int) -> bool:
            position = index[element]
            if from_end:
                position = last[element] + 1 - position
            steps = position - b
            return steps == 0 if a == 0 else steps % a == 0 and steps // a >= 0

        return test

    return of
