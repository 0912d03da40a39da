"""What class names say about the role of the text inside of an element."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scrapy_cetr.extraction import loops

# The stems of each kind of class name. A stem has 4 to 12 characters; a hyphen stands for anything
# but a letter, also for the beginning or the end of the name.
_STEMS = {
    "caption": "caption figcap cutline legende bildunter bildtext didascalia -credit- photocredit"
    " imagecredit mediacredit photo-credit image-credit media-credit img-credit imgcredit piefoto"
    " pie-foto pie-de-foto image-desc imagedesc photo-desc photodesc picturetext",
    "byline": "byline by-line author writer dateline -date- -dates- datetime timestamp time-stamp"
    " -time- pubdate pub-date publishdate published -posted posted-on postedon updated -meta-"
    " postmeta entrymeta articlemeta metadata articleinfo article-info post-info postinfo"
    " news-info story-info -vcard- reading-time readtime read-time dateposted post-date postdate"
    " entry-date article-date articledate newsdate news-date -autor -auteur autore -redakt",
    "lead": "-lead- -lede- standfirst -intro- -dek- -deck- subtitle sub-title subhead sub-head"
    " -summary- -excerpt- vorspann chapeau sommario entradilla ingress -abstract- articlelead"
    " article-lead article-intr articleintro -teaser-text",
    "quote": "pullquote pull-quote -quote- blockquote",
    "embed": "-tweet tweet-embed twitter-twee instagram-me fb-post tiktok-embed -embed-",
    "note": "editor-note editors-note editornote editorsnote correction clarificat disclosure"
    " disclaimer footnote endnote references",
    "comment": "-comment- -comments- commentlist commentthrea commentbody commentcont commenttext"
    " commentitem commentsec commentssec commentsarea commentwrap commentslist disqus -replies-"
    " -responses- -discussion- livefyre comment-list",
    # Elements that count or link to comments, or ask for them.
    "no comment": "count -link form respond button number share -closed -no- -has-",
    # Boxes about the author or the site, offers, and lists of links.
    "service": "newsletter subscri signup sign-up author-bio authorbio author-box authorbox"
    " about-author aboutauthor about-the-au author-card authorcard author-info authorinfo"
    " author-profi author-desc author-about -bio- share-bar sharebar sharebutton share-button"
    " share-tools share-link social-share socialshare social-link sharing addtoany sharedaddy"
    " post-tags tag-links entry-tags article-tags breadcrumb cookie consent related-post"
    " relatedpost related-arti related-stor related-link -donat",
}
_BIT = {kind: 1 << index for index, kind in enumerate(_STEMS)}
CAPTION, BYLINE, LEAD, QUOTE, EMBED, NOTE, COMMENT, _NO_COMMENT, SERVICE = _BIT.values()

_LONGEST = 200
_MARK = "-"
_LETTERS = bytes(
    ord(letter if letter in "abcdefghijklmnopqrstuvwxyz" else _MARK)
    for letter in (chr(code).lower() for code in range(128))
).ljust(256, _MARK.encode())


def _tabulate() -> loops.Stems:
    bits: dict[str, int] = {}
    for kind, stems in _STEMS.items():
        for stem in stems.split():
            bits[stem] = bits.get(stem, 0) | _BIT[kind]
    return loops.Stems(bits, _MARK)


_TABLE = _tabulate()


def class_roles(class_names: Sequence[str]) -> NDArray[np.int64]:
    """Return the kinds of each class name, classes and id, as bits.

    >>> found = class_roles(["articleByline ", "comment-count ", "comment "])
    >>> found.tolist() == [BYLINE, 0, COMMENT]
    True
    """
    found = loops.class_hints(list(class_names), _TABLE, _LETTERS, _LONGEST)
    found[(found & _NO_COMMENT) > 0] &= ~COMMENT
    return found & ~_NO_COMMENT
