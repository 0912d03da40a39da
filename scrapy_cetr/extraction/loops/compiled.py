"""Whether loops are compiled, as they are where the package found a compiler; else numpy does."""

try:
    from scrapy_cetr.extraction.loops import _cython as loops
except ImportError:
    COMPILED = False
else:
    COMPILED = True

__all__ = ["COMPILED", "loops"]
