"""The kind of a page: an article, or something else, such as a listing, a wall or an error."""

from scrapy_cetr.extraction.kind.clues import Clues, collect_clues
from scrapy_cetr.extraction.kind.model import ARTICLE, KINDS, STUB, Kind, find_kind

__all__ = ["ARTICLE", "KINDS", "STUB", "Clues", "Kind", "collect_clues", "find_kind"]
