"""Walls, error pages, paywalls and short articles, written for the training of kinds.

No corpus has such pages. Their wordings are in two files, one to learn from and one to test on,
which share no sentence. Each wording is put into several layouts; the test has layouts of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from random import Random

FOLDER = Path(__file__).parent
TRAIN, TEST = FOLDER / "wordings_train.txt", FOLDER / "wordings_test.txt"
_COLUMNS = 5
_NONE = "-"
_MARKS = ".,:«»“”„"


@dataclass(frozen=True, kw_only=True)
class Wording:
    """What a page says: a title, a heading, sentences, and the texts of buttons and links."""

    kind: str
    topic: str
    language: str
    title: str
    heading: str
    sentences: tuple[str, ...]
    buttons: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class GeneratedPage:
    """A page with a wording in one of the layouts."""

    wording: Wording
    layout: str
    html: str
    url: str


def read_wordings(path: Path) -> list[Wording]:
    """Read a file of wordings; a ValueError names a line that is wrong."""
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = [cell.strip() for cell in line.split("|")]
        names = cells[0].split()
        if len(cells) != _COLUMNS or len(names) != 3:
            raise ValueError(
                f"{path}, line {number}: {_COLUMNS} columns are expected, not {line!r}"
            )
        kind, topic, language = names
        found.append(
            Wording(
                kind=kind,
                topic=topic,
                language=language,
                title=_text(cells[1]),
                heading=_text(cells[2]),
                sentences=_split(cells[3], " / "),
                buttons=_split(cells[4], ";"),
            )
        )
    return found


def _text(cell: str) -> str:
    return "" if cell == _NONE else cell


def _split(cell: str, separator: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in cell.split(separator) if part.strip() not in ("", _NONE))


# Parts of pages


def _element(name: str, text: str, attributes: str = "") -> str:
    return f"<{name}{' ' + attributes if attributes else ''}>{escape(text)}</{name}>"


def _paragraphs(wording: Wording) -> str:
    return "\n".join(_element("p", text) for text in wording.sentences)


def _buttons(wording: Wording, random: Random) -> str:
    tag = random.choice(("a", "button"))
    attributes = 'href="/" class="btn"' if tag == "a" else 'type="button" class="button"'
    return " ".join(_element(tag, text, attributes) for text in wording.buttons)


def _fields(wording: Wording) -> str:
    """Return what belongs to the topic besides text: form fields, or the frame of a captcha."""
    if wording.topic == "login":
        return '<form method="post"><input name="user"><input type="password" name="pass"></form>'
    if wording.topic == "contact":
        return "<form><input name=name><input name=mail><textarea name=text></textarea></form>"
    if wording.topic == "robot":
        return '<div class="captcha-box" id="challenge"><iframe src="/captcha"></iframe></div>'
    return ""


def _links(words: Sequence[str], count: int, random: Random) -> str:
    items = (
        f'<li><a href="/{number}">{escape(random.choice(words).title())}</a></li>'
        for number in range(count)
    )
    return f"<ul>{''.join(items)}</ul>"


def _teasers(titles: Sequence[str], count: int, random: Random) -> str:
    chosen = (random.choice(titles) for _ in range(count))
    return "".join(
        f'<div class="teaser"><h3><a href="/n/{number}">{escape(title)}</a></h3></div>'
        for number, title in enumerate(chosen)
    )


def _page(wording: Wording, head: str, body: str) -> str:
    return (
        f'<!DOCTYPE html><html lang="{wording.language}"><head><meta charset="utf-8">'
        f"<title>{escape(wording.title)}</title>{head}</head><body>{body}</body></html>"
    )


# Layouts


@dataclass(frozen=True, kw_only=True)
class Surroundings:
    """Words and headlines of a language, for menus and teasers."""

    words: Sequence[str]
    titles: Sequence[str]
    site: str


Layout = Callable[[Wording, Surroundings, Random], str]


def _plain(wording: Wording, _: Surroundings, __: Random) -> str:
    server = "<hr><address>Apache Server at news.example Port 80</address>"
    return _page(wording, "", f"{_element('h1', wording.heading)}{_paragraphs(wording)}{server}")


def _centred(wording: Wording, around: Surroundings, random: Random) -> str:
    head = "<style>body{font-family:sans-serif}.box{margin:auto;width:40em}</style>"
    name = random.choice(("box", "container", "wrapper main", "content", "error-page", "modal"))
    body = (
        f'<div class="{name}"><a href="/"><img src="/logo.svg" alt="{escape(around.site)}"></a>'
        f"{_element('h1', wording.heading)}{_paragraphs(wording)}{_fields(wording)}"
        f"<p>{_buttons(wording, random)}</p></div>"
    )
    return _page(wording, head, body)


def _site(wording: Wording, around: Surroundings, random: Random) -> str:
    head = '<link rel="stylesheet" href="/a.css"><meta property="og:type" content="website">'
    if wording.kind in ("article", "stub"):
        head = head.replace("website", "article")
    aside = (
        f'<aside class="sidebar">{_teasers(around.titles, random.randint(3, 9), random)}</aside>'
    )
    body = (
        f'<header class="site-header"><nav>{_links(around.words, random.randint(6, 40), random)}'
        f'</nav></header><main id="content"><article>{_element("h1", wording.heading)}'
        f"{_paragraphs(wording)}{_fields(wording)}{_buttons(wording, random)}</article></main>"
        f'{aside}<footer class="footer">{_links(around.words, random.randint(4, 20), random)}'
        f"<p>© 2024 {escape(around.site)}</p></footer>"
    )
    return _page(wording, head, body)


def _script(wording: Wording, _: Surroundings, random: Random) -> str:
    head = '<meta name="robots" content="noindex,nofollow"><script>window.a={b:1}</script>'
    lines = "<br>".join(escape(text) for text in (wording.heading, *wording.sentences) if text)
    body = f'<div id="app"><noscript>{lines}</noscript>{lines}{_fields(wording)}</div>'
    return _page(wording, head, f"{body}<div>{_buttons(wording, random)}</div>")


def _table(wording: Wording, around: Surroundings, random: Random) -> str:
    cell = f"<b>{escape(wording.heading)}</b><br><br>{'<br>'.join(map(escape, wording.sentences))}"
    menu = _links(around.words, random.randint(5, 12), random)
    body = (
        f'<table width="100%"><tr><td valign="top">{menu}</td><td>{cell}<br>'
        f"{_buttons(wording, random)}{_fields(wording)}</td></tr></table>"
    )
    return _page(wording, '<meta http-equiv="content-language" content="x">', body)


def _sections(wording: Wording, around: Surroundings, random: Random) -> str:
    words = " ".join(_element("a", word, 'href="#"') for word in around.words[:25])
    body = (
        f'<div id="top">{words}</div><section class="page"><h2>{escape(wording.heading)}</h2>'
        f'<div class="text">{_paragraphs(wording)}</div>{_fields(wording)}'
        f'<div class="actions">{_buttons(wording, random)}</div></section>'
        f'<section class="more">{_teasers(around.titles, random.randint(2, 6), random)}</section>'
        f'<div id="bottom">{_links(around.words, 8, random)}</div>'
    )
    return _page(wording, '<link rel="icon" href="/f.ico">', body)


TRAIN_LAYOUTS: Mapping[str, Layout] = {
    "plain": _plain,
    "centred": _centred,
    "site": _site,
    "script": _script,
}
TEST_LAYOUTS: Mapping[str, Layout] = {"centred": _centred, "table": _table, "sections": _sections}
# Where such pages are found: at the address of an article, or at one of their own.
_PATHS = ("/2024/05/harbour-bridge-reopens.html", "/news/1742913", "/", "/a/b?id=7")
_OWN_PATHS = {
    "robot": "/cdn-cgi/challenge?x=1",
    "consent": "/consent?back=%2Fnews",
    "login": "/login?next=%2Fnews%2F17",
    "contact": "/contact",
    "index": "/files/",
}


def generate(path: Path, layouts: Mapping[str, Layout]) -> Iterator[GeneratedPage]:
    """Yield each wording of a file in each layout; always the same pages."""
    wordings = read_wordings(path)
    for index, wording in enumerate(wordings):
        around = _surroundings(wording.language, wordings)
        for number, (name, layout) in enumerate(layouts.items()):
            random = Random(f"{wording.title} {wording.language} {name}")  # noqa: S311
            own = _OWN_PATHS.get(wording.topic) if number == 1 else None
            address = own or _PATHS[(index + number) % len(_PATHS)]
            yield GeneratedPage(
                wording=wording,
                layout=name,
                html=layout(wording, around, random),
                url=f"https://{around.site}{address}",
            )


def _surroundings(language: str, wordings: Sequence[Wording]) -> Surroundings:
    """Take headlines and words from the articles in the language, or in English."""
    articles = [one for one in wordings if one.kind in ("article", "stub")]
    own = [one for one in articles if one.language == language] or articles[:2]
    sentences = [sentence for one in own for sentence in one.sentences[:3]]
    words = [word.strip(_MARKS) for sentence in sentences for word in sentence.split()]
    return Surroundings(
        words=[word[:20] for word in words if len(word) > 3] or ["News"],
        titles=[one.heading for one in own],
        site="courier.example",
    )
