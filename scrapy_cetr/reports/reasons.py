"""Why the learned method kept or dropped a row, in words.

The network says which parts of a row's features weighed most; the values of the features say which
words describe them. Rows that the rules of the selection decided on say so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import log

import numpy as np

from scrapy_cetr.extraction.columns import Bools, Floats
from scrapy_cetr.extraction.methods.learned.attribution import NEIGHBORS, weights_of_parts
from scrapy_cetr.extraction.methods.learned.feature_groups import Matrix
from scrapy_cetr.extraction.methods.learned.features import NAMES, Features, find_features
from scrapy_cetr.extraction.methods.learned.method import row_scores
from scrapy_cetr.extraction.methods.learned.network import log_odds
from scrapy_cetr.extraction.methods.learned.selection import (
    drop_repetitions,
    extend_end,
    fill_gaps,
    keep_by_score,
    row_chars,
)
from scrapy_cetr.extraction.methods.learned.weights import network_of
from scrapy_cetr.extraction.options import FAVORS, ROLES, Options
from scrapy_cetr.extraction.page.page import Page

# Further rows of a page are not explained in words, to bound the time.
MAX_EXPLAINED = 2000
# A group is named if it changes the log-odds by at least this; and how many are named at most.
_LEAST_WEIGHT, _MOST_REASONS, _MOST_CONTRARY = 0.25, 4, 2
_DECLARED = (
    "it is not in the article text that the page declares (JSON-LD), which lowered its score"
)

Values = Callable[[str], float]
_ELEMENTS = {
    "p": "a paragraph",
    "li": "a list item",
    "td": "a table cell",
    "th": "a heading of a table",
    "div": "a div, not a paragraph",
    "blockquote": "a quotation",
    "figcaption": "a caption",
    "pre": "preformatted text",
}


def _length(of: Values) -> str:
    chars = round(np.expm1(of("chars")))
    kind = "long" if chars >= 200 else "medium" if chars >= 80 else "short"
    return f"{kind} text ({chars:,} characters)"


def _links(of: Values) -> str:
    share = of("link share")
    return f"{share:.0%} of it is links" if share else "text without links"


def _sentence(of: Values) -> str:
    ends = any(of(f"ends in a {mark}") for mark in ("stop", "question", "quotation"))
    return "ends like a sentence" if ends else "does not end like a sentence"


def _repetition(of: Values) -> str:
    times = round(np.exp(of("is repeated")))
    return f"the same text is {times} times on the page" if times > 1 else "text that occurs once"


def _title(of: Values) -> str:
    if of("share of title") > 0.5:
        return "has the words of the title"
    distance = of("from title")
    if distance < 0:
        return "before the headline"
    return "close after the headline" if distance < 2.5 else "far after the headline"


def _position(of: Values) -> str:
    share = of("position")
    return f"its position, {share:.0%} down the page"


def _surroundings(of: Values) -> str:
    near = min(of("from long row"), of("to long row")) < 1.2
    return "next to long text" if near else "far from long text"


def _kind(of: Values) -> str:
    if of("link share of kind") > 0.5:
        return "similar rows are mostly links"
    long_text = of("long text of kind")
    return f"similar rows have {long_text:.0%} of the page’s long text"


def _best(of: Values) -> str:
    inside = of("in best")
    return f"{'inside' if inside else 'outside of'} the element with the most long text"


def _element(of: Values) -> str:
    for name, words in _ELEMENTS.items():
        if of(f"row of {name}"):
            return words
    return "a heading" if any(of(f"row of h{n}") for n in range(1, 7)) else "no paragraph"


def _container(of: Values) -> str:
    links, share = of("link share of container 1"), of("long text of container 1")
    if links > 0.5:
        return f"{links:.0%} of the text around it is links"
    return f"the elements around it have {share:.0%} of the page’s long text"


def _ratio(of: Values) -> str:
    ratio = np.expm1(of("ratio, σ = 2"))
    return f"about {ratio:,.0f} characters per tag here"


def _numbers(of: Values) -> str:
    return f"{of('share of digits'):.0%} of it is digits"


# The groups of features, and the words that describe each of them.
_PARTS: Mapping[str, tuple[Callable[[str], bool], Callable[[Values], str]]] = {
    "length": (lambda n: n in ("chars", "marks", "chars beside long rows"), _length),
    "links": (lambda n: n in ("link share", "link length", "links in row"), _links),
    "sentence": (lambda n: n.startswith(("ends in", "begins with")), _sentence),
    "repetition": (lambda n: n in ("repeats another", "is repeated"), _repetition),
    "title": (lambda n: ("title" in n and "hint" not in n) or n == "after h1", _title),
    "position": (lambda n: n in ("rows before", "rows after", "position"), _position),
    "surroundings": (lambda n: "long row" in n and "container" not in n, _surroundings),
    "kind": (lambda n: n.endswith("of kind"), _kind),
    "best": (lambda n: n.endswith("best"), _best),
    "element": (lambda n: n.startswith("row of "), _element),
    "container": (lambda n: "of container" in n, _container),
    "ratio": (lambda n: n.startswith("ratio"), _ratio),
    "numbers": (lambda n: "digits" in n, _numbers),
}
_HINT, _OWN_HINT, _WITHIN = "within class hint ", "class hint ", "within "


def row_reasons(page: Page, keep: Bools, options: Options) -> list[str]:
    """Return a sentence or two for each of the first rows; "" for rows without text."""
    features = find_features(page)
    reasons = [""] * min(len(page.rows), MAX_EXPLAINED)
    if not len(features.rows):
        return reasons
    network, favor = network_of(options.model), FAVORS.index(options.favor)
    plain = log_odds(features, network, favor)
    scores = row_scores(features, network, favor)
    rules = _rules(features, scores - log(options.threshold / (1 - options.threshold)))
    declared = set(np.flatnonzero(np.asarray(scores < plain - 0.5)).tolist())
    shown = features.rows < MAX_EXPLAINED
    few = replace(
        features,
        rows=features.rows[shown],
        of_rows=np.ascontiguousarray(features.of_rows[:, shown]),
    )
    parts, words = _parts_of(few)
    kept = keep[few.rows]
    weights = weights_of_parts(few, network, favor, kept, parts)
    for index, row in enumerate(few.rows.tolist()):
        said = _in_words(weights, words, few.of_rows[:, index], index, is_kept=bool(kept[index]))
        notes = [rules[index]] if rules[index] else []
        if index in declared:
            notes.append(_sentence_of(_DECLARED))
        reasons[row] = " ".join((*notes, *said))
    return reasons


def role_reason(role: int, *, is_kept: bool) -> str:
    """Say why the role of a row decided, not the method."""
    name = ROLES[role] if role >= 0 else ""
    if not is_kept:
        return (
            "Dropped by the method, but added by rule:"
            f" its role is {name}, one of the parts of the text (CETR_PARTS)."
        )
    if not name:
        return (
            "Kept by the method, but left out by rule: it repeats the headline, or its class names"
            " tell that it is about the author or the site."
        )
    return (
        "Kept by the method, but left out by rule:"
        f" its role is {name}, not one of the parts of the text (CETR_PARTS)."
    )


def _rules(features: Features, scores: Floats) -> list[str]:
    """Return what the rules after scoring say of each row, "" if they left it as it was."""
    chars, found = row_chars(features), [""] * len(scores)
    keep = keep_by_score(scores, chars)
    _note(found, keep & (scores <= 0), "Kept by rule: so little else would be kept of the page.")
    before = keep.copy()
    fill_gaps(features, scores, chars, keep)
    _note(found, keep & ~before, "Kept by rule: it fills a gap between kept paragraphs.")
    before = keep.copy()
    extend_end(features, scores, chars, keep)
    _note(found, keep & ~before, "Kept by rule: it may be the end of the article.")
    before = keep.copy()
    drop_repetitions(features, chars, keep)
    _note(found, before & ~keep, "Dropped by rule: it repeats text that was kept before.")
    return found


def _note(found: list[str], rows: Bools, text: str) -> None:
    for row in np.flatnonzero(rows).tolist():
        found[row] = text


def _parts_of(
    features: Features,
) -> tuple[dict[str, Sequence[int]], dict[str, Callable[[Values], str]]]:
    """Return the parts of this page: those of all pages, class hints, and elements around rows."""
    parts: dict[str, Sequence[int]] = {
        name: [i for i, feature in enumerate(NAMES) if belongs(feature)]
        for name, (belongs, _) in _PARTS.items()
    }
    words = {name: say for name, (_, say) in _PARTS.items()}
    occurring: list[bool] = (features.of_rows != 0).any(axis=1).tolist()
    for index, name in enumerate(NAMES):
        if not name.startswith(_WITHIN) or not occurring[index]:
            continue
        hint = name.removeprefix(_HINT)
        if hint != name:
            parts[name] = [index, NAMES.index(f"{_OWN_HINT}{hint}")]
            words[name] = _within(name, f"an element named “{hint}” or similar")
        else:
            parts[name] = [index]
            words[name] = _within(name, f"<{name.removeprefix(_WITHIN)}>")
    return parts, words


def _within(feature: str, what: str) -> Callable[[Values], str]:
    # Elements that a row is not in are left out, as there are too many of them.
    return lambda of: f"inside {what}" if of(feature) else ""


def _in_words(
    weights: Mapping[str, Floats],
    words: Mapping[str, Callable[[Values], str]],
    values: Matrix,
    index: int,
    *,
    is_kept: bool,
) -> list[str]:
    """Say which parts weighed most for the decision, and which against it."""

    def of(name: str) -> float:
        return float(values[NAMES.index(name)])

    sign = 1 if is_kept else -1
    by_weight = sorted(
        ((sign * float(w[index]), name) for name, w in weights.items()), reverse=True
    )
    pro = [name for weight, name in by_weight if weight >= _LEAST_WEIGHT]
    con = [name for weight, name in by_weight[::-1] if weight <= -_LEAST_WEIGHT]

    def say(name: str, *, for_content: bool) -> str:
        if name != NEIGHBORS:
            return words[name](of)
        return "the rows around it look like " + ("the article" if for_content else "boilerplate")

    said = [text for name in pro if (text := say(name, for_content=is_kept))][:_MOST_REASONS]
    against = [text for name in con if (text := say(name, for_content=not is_kept))]
    sentences = [_sentence_of("; ".join(said))] if said else []
    if against:
        sentences.append(f"Against it: {'; '.join(against[:_MOST_CONTRARY])}.")
    return sentences


def _sentence_of(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
