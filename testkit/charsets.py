"""Pages in forty charsets, with right, wrong and missing declarations of the charset."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from scrapy.http import HtmlResponse

_TEXTS = {
    "English": "The fishermen’s boats came back to the harbour before dawn – nobody was hurt.",
    "German": "Die Bücher für Köln kosten fünf Euro, und die Größe ist überall außer hier gleich.",
    "French": "Les pêcheurs sont rentrés à l'aube après une nuit de tempête, épuisés mais sauvés.",
    "Polish": "Rybacy wrócili do portu przed świtem; w nocy był sztorm, żaden człowiek nie zginął.",
    "Turkish": "Balıkçılar şafaktan önce limana döndü; gece fırtına vardı ama kimseye bir şey yok.",
    "Latvian": "Zvejnieki atgriezās ostā pirms rītausmas; naktī bija vētra, bet neviens necieta.",
    "Greek": "Οι ψαράδες γύρισαν στο λιμάνι πριν από την αυγή και κανείς δεν έπαθε τίποτα.",
    "Russian": "Рыбаки вернулись в гавань до рассвета. Ночью был шторм, но никто не пострадал.",
    "Ukrainian": "Рибалки повернулися до гавані до світанку. Вночі був шторм, але всі цілі.",
    "Hebrew": "הדייגים חזרו לנמל לפני עלות השחר. בלילה הייתה סערה אבל איש לא נפגע.",
    "Arabic": "عاد الصيادون إلى الميناء قبل الفجر. كانت هناك عاصفة في الليل ولم يصب أحد.",
    "Thai": "ชาวประมงกลับมาถึงท่าเรือก่อนรุ่งสาง เมื่อคืนมีพายุแต่ไม่มีใครได้รับบาดเจ็บ",
    "Vietnamese": "Ngư dân đã về cảng trước bình minh; đêm qua có bão nhưng không ai bị thương.",
    "Japanese": "漁師たちは夜明け前に港へ戻ってきました。夜は嵐でしたが、けが人はいませんでした。",
    "Chinese": "渔民们在黎明前回到了港口。昨夜有暴风雨，但没有人受伤，所有的船都完好无损。",
    "Taiwanese": "漁民們在黎明前回到了港口。昨夜有暴風雨，但沒有人受傷，所有的船都完好。",
    "Korean": "어부들은 동이 트기 전에 항구로 돌아왔다. 밤에 폭풍이 있었지만 다친 사람은 없었다.",
}
CHARSETS: Mapping[str, str] = {
    **dict.fromkeys(("utf-8", "utf-16", "utf-16-le", "utf-16-be", "gb18030"), "Chinese"),
    **dict.fromkeys(("gbk", "gb2312"), "Chinese"),
    **dict.fromkeys(("big5", "big5-hkscs"), "Taiwanese"),
    **dict.fromkeys(("shift_jis", "euc-jp", "iso-2022-jp", "cp932"), "Japanese"),
    **dict.fromkeys(("euc-kr", "cp949"), "Korean"),
    **dict.fromkeys(("windows-1251", "koi8-r", "iso-8859-5", "ibm866"), "Russian"),
    **dict.fromkeys(("koi8-u", "mac-cyrillic"), "Ukrainian"),
    **dict.fromkeys(("windows-1252", "us-ascii"), "English"),
    **dict.fromkeys(("iso-8859-1", "iso-8859-15", "macintosh", "cp850"), "German"),
    **dict.fromkeys(("iso-8859-14", "iso-8859-16"), "French"),
    **dict.fromkeys(("windows-1250", "iso-8859-2"), "Polish"),
    **dict.fromkeys(("windows-1254", "iso-8859-9"), "Turkish"),
    **dict.fromkeys(("windows-1257", "iso-8859-13"), "Latvian"),
    **dict.fromkeys(("windows-1253", "iso-8859-7"), "Greek"),
    **dict.fromkeys(("windows-1255", "iso-8859-8"), "Hebrew"),
    **dict.fromkeys(("windows-1256", "iso-8859-6"), "Arabic"),
    **dict.fromkeys(("windows-874", "tis-620"), "Thai"),
    "windows-1258": "Vietnamese",
}
# Charsets that Python knows by another name.
_CODECS = {"windows-874": "cp874", "macintosh": "mac-roman", "mac-cyrillic": "mac-cyrillic"}


class Encoded(NamedTuple):
    """A response and the text that it contains."""

    response: HtmlResponse
    text: str


def encode(charset: str, *, header: str | None = None, meta: str | None = None) -> Encoded:
    """Make a page in a charset; header and meta may declare another charset, or none."""
    codec = _CODECS.get(charset, charset)
    text = (_TEXTS[CHARSETS[charset]] + " ") * 4
    # Characters that the charset lacks are left out of the text.
    text = text.encode(codec, "ignore").decode(codec).strip()
    declaration = f"<meta charset='{meta}'>" if meta else ""
    html = f"<html><head>{declaration}<title>News</title></head><body><p>{text}</p></body></html>"
    kind = f"text/html; charset={header}" if header else "text/html"
    body = html.encode(codec)
    return Encoded(
        HtmlResponse("http://a.example/", body=body, headers={"Content-Type": kind}), text
    )


WAYS: Mapping[str, Callable[[str], Encoded]] = {
    "declared in the header": lambda charset: encode(charset, header=charset),
    "declared in the page": lambda charset: encode(charset, meta=charset),
    "declared in both": lambda charset: encode(charset, header=charset, meta=charset),
    "undeclared": lambda charset: encode(charset),
    "header says utf-8": lambda charset: encode(charset, header="utf-8"),
    "header says utf-8, page is right": lambda charset: encode(
        charset, header="utf-8", meta=charset
    ),
    "page says utf-8": lambda charset: encode(charset, meta="utf-8"),
    "header says iso-8859-1": lambda charset: encode(charset, header="iso-8859-1"),
    "page says windows-1252": lambda charset: encode(charset, meta="windows-1252"),
    "header says nonsense": lambda charset: encode(charset, header="bogus"),
}


def by_scrapy(encoded: Encoded) -> bool:
    """Return whether Scrapy's own decoding gets the text right."""
    return encoded.text in encoded.response.text
