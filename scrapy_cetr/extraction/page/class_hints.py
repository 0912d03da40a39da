"""Class hints: what the classes and ids of elements say about their content.

Page authors share many of the words that they use in class names: comment, nav, byline. A class
name here is the text of an element's class and id attributes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scrapy_cetr.extraction import loops

# The stems that stand for each hint, and those that tell roles below. A hyphen stands for anything
# but a letter, also for the beginning or the end of the name.
CLASS_HINTS = {
    "comment": "comment komment koment coment yorum disqus reply replie respond response discuss"
    " feedback review",
    "related": "related recommend -more- readmore teaser -also- seealso similar trend popular"
    " mostread -most- latest recent suggest outbrain taboola promo card recirc upnext carousel"
    " slider swiper",
    "others": "posts articles stories entries blogs headlines events",
    "nav": "nav navig navbar navlist navmenu subnav topnav mainnav menu breadcrumb crumb pagin"
    " pager toolbar tab -tabs- toc jump skip -links- -next- prev",
    "share": "shar social follow facebook twitter whatsapp addthis tool",
    "foot": "foot copyright legal imprint disclaimer bottom colophon",
    "head": "header masthead banner top logo brand",
    "side": "side rail aside widget secondary tertiary -right-",
    "site": "contact weather poll calendar account cart rss location email phone language",
    "ad": "ad ads advert sponsor dfp gpt adsense commercial affiliate",
    "letter": "newsletter subscri signup optin donat paywall member regist login signin mailing"
    " cta",
    "cookie": "cookie consent gdpr privacy ccpa notice",
    "author": "author byline writer bio profile avatar user",
    "date": "date time publish posted meta info stamp kicker",
    "caption": "caption credit photo image img figure gallery media video picture thumb",
    "title": "title headline heading hed",
    "body": "body content article entry post story text main prose paragraph rich markdown wysiwyg",
    "lead": "lead lede intro standfirst summary excerpt subtitle subhead dek abstract descript",
    "hidden": "hidden hide modal popup overlay dialog dropdown tooltip collapse offscreen sr"
    " visually noprint drawer print sticky flyout offcanvas invisible",
    "tags": "tag -tags- categor topic label keyword taxonomy",
    "search": "search -form- -forms- filter sort input select button btn",
    "list": "list grid item feed archive row tile cell index loop",
    "quote": "quote pull embed tweet instagram",
    "faq": "faq accordion question answer",
    "guide": "step instruct ingredient recipe spec feature product price",
    "forum": "signature postbit message thread forum",
}

# The stems that tell the role of the text inside of an element.
ROLE_HINTS = {
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
    " -responses- -discussion- livefyre comment-list kommentar commentaire comentario -reacties-"
    " comments- komentarz yorumlar pinglun",
    # Elements that count or link to comments, ask for them, or show those on other articles.
    "no comment": "count -link form respond button number share -closed -open -no- -has- recent"
    " latest newest popular policy login -rules- notice toggle",
    # Boxes about the author or the site, offers, and lists of links.
    "service": "newsletter subscri signup sign-up author-bio authorbio author-box authorbox"
    " about-author aboutauthor about-the-au author-card authorcard author-info authorinfo"
    " author-profi author-desc author-about -bio- share-bar sharebar sharebutton share-button"
    " share-tools share-link social-share socialshare social-link sharing addtoany sharedaddy"
    " post-tags tag-links entry-tags article-tags breadcrumb cookie consent related-post"
    " relatedpost related-arti related-stor related-link -donat",
}
# The bits of the role hints are above those of the class hints and of the elements around a row,
# which features combine.
_FIRST_ROLE_BIT = 48
ROLE_BITS = {name: 1 << bit for bit, name in enumerate(ROLE_HINTS, start=_FIRST_ROLE_BIT)}

# A shorter stem occurs in too many words, so it has to be a whole word.
_SHORTEST_PART = 4
_LONGEST_CLASS_NAME = 200
# Class names are compared in lower case, with all but letters replaced by this.
_APART = "-"
_ALPHABET = "abcdefghijklmnopqrstuvwxyz"
_LETTERS = bytes(
    ord(letter if letter in _ALPHABET else _APART)
    for letter in (chr(code).lower() for code in range(128))
).ljust(256, _APART.encode())


def _stems() -> loops.Stems:
    """Tabulate the stems, each with a bit for every hint that it is a word of."""
    bits: dict[str, int] = {}
    for index, words in enumerate(CLASS_HINTS.values()):
        for word in words.split():
            stem = word if len(word) >= _SHORTEST_PART else f"{_APART}{word}{_APART}"
            bits[stem] = bits.get(stem, 0) | 1 << index
    for name, words in ROLE_HINTS.items():
        for stem in words.split():
            bits[stem] = bits.get(stem, 0) | ROLE_BITS[name]
    return loops.Stems(bits, _APART)


_STEMS = _stems()


def class_hints(class_names: Sequence[str]) -> NDArray[np.int64]:
    """Return the hints in each class name: one bit for each of CLASS_HINTS, and ROLE_BITS.

    >>> (found,) = class_hints(["postContent nav-top"]).tolist()
    >>> [name for bit, name in enumerate(CLASS_HINTS) if found >> bit & 1]
    ['nav', 'head', 'body']
    """
    return loops.class_hints(list(class_names), _STEMS, _LETTERS, _LONGEST_CLASS_NAME)
