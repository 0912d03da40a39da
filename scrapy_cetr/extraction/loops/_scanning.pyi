from array import array
from typing import final

@final
class Columns:
    tags: array[int]
    tag_offset: array[int]
    texts: list[str]
    labels: array[int]
    statements: list[str]
    title: str | None
    unclosed: str | None
    ends_with_comment: bool
    last: str
    length: int

def read_columns(
    html: str, *, hidden: frozenset[str], class_name_ids: dict[str, int] | None, before: int
) -> Columns: ...
