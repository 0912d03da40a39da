"""The share of rows that is in the text a page declares."""

import tracemalloc

from scrapy_cetr.extraction.methods.learned.declared_text import shares_in

BODY = "\n\n".join(
    f"It rained for {n} days, and the river stood in the streets of town {n}." for n in range(9)
)


def test_shares_in_compares_runs_of_words() -> None:
    body = "One two three four five six seven."
    texts = ["TWO, THREE: FOUR (FIVE) SIX", "four three two one", "one two three four, and five"]
    assert shares_in(body, texts) == [1, 0, 1 / 3]
    assert shares_in(body, ["Eight", ""]) == [1, 1]


def test_shares_in_takes_little_memory_for_long_texts() -> None:
    text = "ab cd ef " * 20_000
    tracemalloc.start()
    assert shares_in(BODY, [text]) == [0]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 6 * len(text)
