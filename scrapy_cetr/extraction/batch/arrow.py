"""The schema of rows in Arrow and Parquet: fixed, all columns nullable, never inferred."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from scrapy_cetr.extraction.batch.schema import FIELDS, columns_of

try:
    import pyarrow as pa
except ImportError as error:
    raise ImportError("Parquet needs pyarrow: pip install 'scrapy-cetr[parquet]'") from error

# Of Parquet files.
COMPRESSION = "zstd"

_TEXT = pa.string()
_TEXTS = pa.list_(_TEXT)
_LINKS = pa.list_(pa.struct({"text": _TEXT, "url": _TEXT}))
_IMAGE = pa.struct({"url": _TEXT, "alt": _TEXT, "caption": _TEXT})
_COMMENT = {"author": _TEXT, "date": _TEXT, "text": _TEXT, "depth": pa.int64()}
_BLOCK = {"role": _TEXT, "text": _TEXT, "level": pa.int64(), "links": _LINKS, "image": _IMAGE}
_TYPES: Mapping[str, pa.DataType] = {
    "source_offset": pa.int64(),
    "words": pa.int64(),
    "page_chars": pa.int64(),
    "short": pa.bool_(),
    "truncated": pa.bool_(),
    "paywalled": pa.bool_(),
    "probability": pa.float64(),
    "kind_probability": pa.float64(),
    "seconds": pa.float64(),
    "authors": _TEXTS,
    "keywords": _TEXTS,
    "site_rules": _TEXTS,
    "unmatched_selectors": _TEXTS,
    "captions": _TEXTS,
    "links": _LINKS,
    "images": pa.list_(_IMAGE),
    "blocks": pa.list_(pa.struct(_BLOCK)),
    "comments": pa.list_(pa.struct(_COMMENT)),
    "breadcrumbs": pa.list_(pa.struct({"name": _TEXT, "url": _TEXT})),
    "sources": pa.map_(_TEXT, _TEXT),
}


def schema_of(columns: Mapping[str, str]) -> pa.Schema:
    """Return the schema of columns, each with what it holds; all can be null."""
    return pa.schema([(name, _TYPES.get(held, _TEXT)) for name, held in columns.items()])


# The schema of rows with the default fields.
SCHEMA = schema_of(columns_of(FIELDS))


def make_batch(rows: Sequence[Mapping[str, Any]], schema: pa.Schema) -> pa.RecordBatch:
    """Return rows as a batch with this schema, whatever characters they have."""
    try:
        return pa.RecordBatch.from_pylist(rows, schema)
    except UnicodeEncodeError:
        # Lone surrogates become question marks.
        text = json.dumps(rows, ensure_ascii=False).encode("utf-8", "replace")
        return pa.RecordBatch.from_pylist(json.loads(text), schema)
