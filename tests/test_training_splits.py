"""How examples are split into those to learn from and those to test."""

from dataclasses import replace
from itertools import pairwise

from benchmarks.corpus import Page
from training.examples import Example, make_example
from training.splits import SHARES, Split, folds_of_sites, learning_curve, leave_one_corpus_out

PAGE = Page(id="7", url="https://example.com/rain", type="article", html="<p>Rain", text="Rain")


def examples(*sites: str, corpus: str = "tiny") -> list[Example]:
    made = make_example((corpus, PAGE))
    return [replace(made, site=site) for site in sites]


def share_no_site(pages: list[Example], split: Split) -> bool:
    learnt, tested = ({pages[index].site for index in of} for of in (split.learnt, split.tested))
    return not learnt & tested


def test_corpus_left_out_shares_no_site_with_the_others() -> None:
    pages = [*examples("a", "b", corpus="one"), *examples("b", "c", corpus="two")]
    one, two = leave_one_corpus_out(pages)
    assert (one.name, one.learnt, one.tested) == ("one", (3,), (0, 1))
    assert (two.name, two.learnt, two.tested) == ("two", (0,), (2, 3))


def test_folds_test_every_page_once() -> None:
    pages = examples(*(f"{number % 9}.example" for number in range(30)))
    splits = folds_of_sites(pages, 3, seed=0)
    assert sorted(index for split in splits for index in split.tested) == list(range(30))
    assert all(share_no_site(pages, split) for split in splits)
    assert all(len(split.learnt) + len(split.tested) == 30 for split in splits)


def test_learning_curve_adds_sites_and_tests_the_same_pages() -> None:
    pages = examples(*(f"{number % 40}.example" for number in range(120)))
    splits = learning_curve(pages, folds=4, seed=0)
    assert [split.name for split in splits] == [f"{share:.0%} of sites" for share in SHARES]
    assert len({split.tested for split in splits}) == 1
    assert [len(split.learnt) for split in splits] == [24, 45, 69, 90]
    for fewer, more in pairwise(splits):
        assert set(fewer.learnt) < set(more.learnt)
    assert all(share_no_site(pages, split) for split in splits)
