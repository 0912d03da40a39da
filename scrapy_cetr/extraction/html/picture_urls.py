"""What the URL of a picture tells: whether two are the same picture, and which are no content."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import unquote, urlsplit

# Words in the path of pictures that belong to a site or a person, not to an article.
_JUNK_WORDS = frozenset(
    re.findall(
        r"\S+",
        "logo logos logotype avatar avatars gravatar userpic icon icons ico favicon sprite"
        " sprites emoji emojis emoticon emoticons smiley smileys smilies twemoji spacer blank"
        " pixel tracking beacon placeholder loading loader spinner ajax badge badges btn btns"
        " button buttons share sharing rss arrow arrows bullet bullets captcha counter advert"
        " adverts ads adserver banner banners headshot headshots byline authorphoto"
        " profilepic watermark hotjar googletag flags stars themes skins",
    )
)
_SITE_WORDS = frozenset(
    re.findall(
        r"\S+",
        "logo logos logotype favicon icon icons placeholder fallback default defaults noimage"
        " generic opengraph ogimage avatar blank sitelogo dummy spacer pixel",
    )
)
# File names of a single word that tell no more than the site.
_SITE_NAMES = re.compile(
    r"^(?:og|fb|facebook|twitter|social|share|sharing|site|meta|open-?graph|card|social-media)"
    r"(?:[-_](?:og|image|img|default|share|sharing|card|thumb|thumbnail|preview|meta|facebook|banner))*$"
)
_TRACKERS = re.compile(
    r"(?:^|\.)(?:doubleclick\.net|scorecardresearch\.com|quantserve\.com|gravatar\.com|"
    r"google-analytics\.com|adnxs\.com|amazon-adsystem\.com|statcounter\.com|feedburner\.com|"
    r"facebook\.com|feedsportal\.com|pixel\.wp\.com|shareaholic\.com|addthis\.com|histats\.com)$"
)
_WORD = re.compile(r"[a-z]+|[A-Z]+(?![a-z])|[A-Z][a-z]+|\d+")
_INNER_URL = re.compile(r"https?(?::|%3A)(?:/|%2F){1,2}", re.IGNORECASE)
_EXTENSION = re.compile(
    r"(?:\.(?:jpe?g|png|gif|webp|avif|bmp|tiff?|jfif|ashx|aspx|img|image|ece))+$"
)
# The parts of a file name that give a size or a version.
_SIZE = re.compile(
    r"(?:[-_.@](?:\d{2,4}x\d{0,4}|x\d{2,4}|\d{1,4}w|w\d{2,4}|h\d{2,4}|[1-4]x|scaled|e\d{9,}|\d{2,4}px|"
    r"(?:wide|square|small|medium|large|big|xl|thumb|thumbnail|full|original|master|facebook|twitter|"
    r"social|og|hd|featured|hero|crop|cropped|teaser|lead|main)(?:[-_]?\d{1,4})?))+$"
)
# File names that many pictures share; the folder tells them apart.
_COMMON_NAME = re.compile(
    r"^(?:\d{1,4}|image|img|photo|picture|pic|main|master|original|large|medium|small|default|thumb|"
    r"thumbnail|full|cover|hero|lead|featured|index|file|media|download|view|resize|width|w|h|"
    r"[a-z]{0,2}\d{0,4}|\d{2,4}x\d{2,4}|wide_?\w{0,12}|\w{0,8}\d{1,4}x\d{1,4}\w{0,8}|landscape\w{0,12})$"
)
_NAMED_SIZE = re.compile(r"(?<![\dx])(\d{2,4})x(\d{2,4})(?!\d)")
# A picture that is smaller in both directions is an icon or the thumbnail of a teaser.
_MIN_SIDE = 150
_MAX_URL, _MAX_UNWRAPPED = 4000, 3
_PLAIN_WORD = re.compile("[a-z0-9]+")
# What letters and digits can be written as in HTML and in URLs.
_ENCODED = re.compile("%|&#|&fjlig")
_LINE_END = re.compile("[\t\r\n]+")


@lru_cache(maxsize=4096)
def picture_key(url: str) -> str:
    """Return a key that two URLs of the same picture share, in whatever size and from which host.

    It is the file name without extension, size and version. If the URL has another one inside, as
    those of image services do, the inner one counts. A file name such as ``1`` or ``main`` gets
    the name of its folder.

    >>> picture_key("https://a.example/2024/harbour-300x200.jpg?w=9")
    'harbour'
    >>> picture_key("https://cdn.example/fit/https%3A%2F%2Fb.example%2FHarbour.png")
    'harbour'
    """
    path = _path(url)
    parts = [part for part in path.lower().split("/") if part]
    if not parts:
        return url
    names: list[str] = []
    for part in reversed(parts[-4:]):
        name = _SIZE.sub("", _EXTENSION.sub("", part)) or part
        names.append(name)
        if not _COMMON_NAME.match(name):
            break
    return "/".join(reversed(names))


def longest_word(key: str) -> str:
    """Return the longest run of letters and digits in the file name of a key.

    >>> longest_word("2024/old-harbour")
    'harbour'
    """
    name = key.lower().rpartition("/")[2]
    return max(_PLAIN_WORD.findall(name), key=len, default="")


def may_have_word(word: str, html: str) -> bool:
    """Tell whether the tag of a picture may have a word in its URL, which is not decoded.

    >>> may_have_word("harbour", "<img src=Harb%6Fur.png>"), may_have_word("harbour", "<img>")
    (True, False)
    """
    if word in html.lower() or _ENCODED.search(html):
        return True
    # Browsers leave the ends of lines out of URLs.
    return bool(_LINE_END.search(html)) and word in _LINE_END.sub("", html).lower()


def _path(url: str) -> str:
    """Return the path of a URL, or of the URL inside of it."""
    url = url[:_MAX_URL]
    for _ in range(_MAX_UNWRAPPED):
        inner = _INNER_URL.search(url, 8)
        if not inner:
            break
        url = url[inner.start() :]
        if "%" in inner[0]:
            url = unquote(url.partition("&")[0])
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    name = parts.path.rpartition("/")[2]
    if "." not in name and _EXTENSION.search(parts.query.lower().partition("&")[0]):
        return unquote(f"{parts.path}/{parts.query.partition('&')[0].rpartition('=')[2]}")
    return unquote(parts.path)


@lru_cache(maxsize=4096)
def is_junk_url(url: str) -> bool:
    """Tell whether a URL is that of a logo, an avatar, an icon, an advertisement or a tracker."""
    try:
        host = urlsplit(url[:_MAX_URL]).netloc.lower()
    except ValueError:
        return True
    path = _path(url)
    if _TRACKERS.search(host) or path.lower().endswith((".svg", ".php", ".ico", ".js")):
        return True
    sizes = _NAMED_SIZE.findall(path)
    if sizes and max(map(int, sizes[-1])) < _MIN_SIDE:
        return True
    return not _JUNK_WORDS.isdisjoint(_words("/".join(path.split("/")[-3:])))


@lru_cache(maxsize=4096)
def is_site_picture(url: str) -> bool:
    """Tell whether a declared main image is rather one of the site: a logo, or a default."""
    name = _path(url).rpartition("/")[2]
    if name.lower().endswith((".svg", ".ico")) or not _SITE_WORDS.isdisjoint(_words(name)):
        return True
    stem = _EXTENSION.sub("", name.lower())
    return bool(_SITE_NAMES.match(_SIZE.sub("", stem) or stem))


def _words(path: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(path)]
