"""Owners: which page an item belongs to, in the callbacks of later pages too.

An item that is begun on one page often travels in ``cb_kwargs`` or ``meta`` of a request to the
next one. With a JOBDIR it is a copy that arrives there. So its place in the request is noted in
``meta["cetr_attached"]``, and looked up when the response arrives.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Any
from weakref import ReferenceType, ref

from itemadapter import ItemAdapter
from scrapy.http import Request, Response

META_KEY = "cetr_attached"
# Items are looked for in values of cb_kwargs and meta, in elements of these, and no deeper.
_MAX_DEPTH = 2
_MAX_ELEMENTS = 1000

Path = tuple[Any, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """The page that the fields of an item are from.

    ``page`` is None if the item was attached, or was begun on an earlier page. ``reason`` says why
    the item is to be dropped, and is None if it is not.
    """

    page: ReferenceType[Response] | None = None
    reason: str | None = None

    def is_page(self, response: Response) -> bool:
        """Return whether the fields are to be taken from a response."""
        return self.page is not None and self.page() is response


class Owners:
    """The owners of items, by the identity of the items.

    Most items are referred to weakly. Dicts cannot be, so the last ``limit`` of them are kept.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._weak: dict[int, tuple[ReferenceType[Any], Owner]] = {}
        self._kept: OrderedDict[int, tuple[Any, Owner]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._weak) + len(self._kept)

    def add(self, item: Any, owner: Owner) -> None:
        """Set the owner of an item."""
        self.discard(item)
        key = id(item)
        try:
            self._weak[key] = (ref(item, lambda _: self._weak.pop(key, None)), owner)
        except TypeError:
            self._kept[key] = (item, owner)
            if len(self._kept) > self._limit:
                self._kept.popitem(last=False)

    def get(self, item: Any) -> Owner | None:
        """Return the owner of an item, or None if it has none."""
        known, owner = self._kept.get(id(item), (None, None))
        if owner is None and id(item) in self._weak:
            reference, owner = self._weak[id(item)]
            known = reference()
        return owner if known is item else None

    def discard(self, item: Any) -> None:
        """Forget the owner of an item."""
        self._kept.pop(id(item), None)
        self._weak.pop(id(item), None)

    def clear(self) -> None:
        """Forget all items."""
        self._weak.clear()
        self._kept.clear()


class ItemOwners:
    """The owners of the items of one crawl: of those attached, and of those yielded last."""

    def __init__(self) -> None:
        self.attached = Owners(limit=10_000)
        self.yielded = Owners(limit=100)

    def of(self, item: Any) -> Owner | None:
        """Return the owner of an item, or None if it has none."""
        return self.attached.get(item) or self.yielded.get(item)

    def attach(self, item: Any, *, reason: str | None) -> None:
        """Note that the fields of an item are from the page that it was attached to."""
        self.attached.add(item, Owner(reason=reason))

    def note_yielded(self, item: Any, owner: Owner) -> None:
        """Remember the owner of an item that goes to the pipelines, in case it goes on, too."""
        self.attached.discard(item)
        if ItemAdapter.is_item(item):
            self.yielded.add(item, owner)

    def clear(self) -> None:
        """Forget all items."""
        self.attached.clear()
        self.yielded.clear()

    def mark(self, request: Request) -> None:
        """Note in a request which of the items in it have an owner."""
        # A spider may have passed on the meta of another request.
        request.meta.pop(META_KEY, None)
        if not self.attached and not self.yielded:
            return
        marks = [
            (path, owner.reason)
            for place in ("cb_kwargs", "meta")
            for path, owner in self._find(getattr(request, place), (place,))
        ]
        if marks:
            request.meta[META_KEY] = marks

    def restore(self, request: Request) -> None:
        """Take over the items that mark() has noted in a request."""
        marks = request.meta.get(META_KEY)
        for path, reason in marks if isinstance(marks, list | tuple) else ():
            with suppress(KeyError, IndexError, TypeError):
                self.attach(_resolve(request, path), reason=reason)

    def _find(self, values: Any, path: Path) -> Iterator[tuple[Path, Owner]]:
        """Yield the paths of items with an owner in a dict, list or tuple."""
        pairs = values.items() if isinstance(values, dict) else enumerate(values)
        for key, value in islice(pairs, _MAX_ELEMENTS):
            owner = self.of(value)
            if owner is not None:
                yield (*path, key), owner
            elif isinstance(value, dict | list | tuple) and len(path) < _MAX_DEPTH:
                yield from self._find(value, (*path, key))


def _resolve(request: Request, path: Path) -> Any:
    place, *keys = path
    value = {"cb_kwargs": request.cb_kwargs, "meta": request.meta}[place]
    for key in keys:
        value = value[key]
    return value
