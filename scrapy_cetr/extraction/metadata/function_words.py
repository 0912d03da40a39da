"""Detect the language of a text by its most frequent words, which nearly every sentence has."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

_WORD = re.compile(r"[^\W\d_]+")
# Fewer words, or a lower share of function words, do not tell a language.
_MIN_WORDS, _MIN_HITS, _MIN_SHARE = 12, 4, 0.12
# How much more frequent the words of a language are than those of the next one.
_MIN_LEAD = 1.1

_WORDS = {
    "en": "the of and to in that is was for it with as his on be at by he this had not are but"
    " from or"
    " have an they which you were their has been would who will more when said its about",
    "de": "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch"
    " es an"
    " werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum"
    " war",
    "fr": "de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce"
    " il sont"
    " avec son cette aux ses mais comme ou été elle nous vous leur ont deux",
    "es": "de la que el en y los se del las un por con no una su para es al lo como más o pero"
    " sus le ha"
    " este sí porque esta entre cuando muy sin sobre también hasta hay donde desde todo",
    "it": "di che il la e un a per in una non sono è del si da con le dei gli della alla nel più"
    " anche"
    " come al ha lo delle ma ed nella dal questo sul dalla alle stato hanno",
    "pt": "de a o que e do da em um para com não uma os no se na por mais as dos como mas ao ele"
    " das à seu"
    " sua ou quando muito nos já eu também pelo pela até isso foi são está",
    "nl": "de van het een en in is dat op te zijn met voor niet aan er die om ook als dan maar"
    " bij of uit"
    " nog worden door naar heeft hij ze wordt tot over meer geen hebben zich deze",
    "sv": "och i att det som en på är av för med den till inte har de ett om var jag men sig"
    " från vi så kan"
    " han eller när efter också vid nu ska sin hade där mot skulle",
    "no": "og i det på som er en å til av for at har med de ikke den han om et var fra men vi"
    " seg jeg kan"
    " ble etter ved eller noe noen hva bare meg også opp mot blir være hadde uten mye",
    "da": "og i det at en er til på af for den med de som der ikke har et han var om fra men vi"
    " sig jeg kan"
    " blev efter ved eller noget nogle hvad kun mig også op mod bliver være havde uden meget hun",
    "fi": "ja on ei se että oli hän ovat mutta kun myös joka tai niin kuin olla vain sen mukaan jo"
    " voi sekä nyt hänen vielä ole tämä jos siitä ovat olisi joka mitä",
    "pl": "w i na z do nie się że to jest o jak od po za ale przez dla co są przy był tym ma już"
    " tak jego"
    " ich oraz który które czy tylko być może jednak ze",
    "cs": "a v se na že je to s z do o i ve k jsou pro jako za by byl po od které který ale jeho"
    " tak při"
    " podle už si také jen však až není aby roku být ze",
    "sk": "a v sa na že je to s z do o aj vo k sú pre ako za by bol po od ktoré ktorý ale jeho"
    " tak pri"
    " podľa už si len však až nie aby roku byť zo",
    "hu": "a az és hogy nem is egy ez meg de csak már ha van azt mint volt még el ki aki fel be"
    " ezt után"
    " lesz majd kell pedig lehet között vagy ami szerint",
    "ro": "de în și a la cu să din care pe o nu un este că pentru mai ce se sau fost ale lui au"
    " prin după"
    " sunt dar fi iar acest această între până foarte cel",
    "tr": "ve bir bu da de için ile olarak daha çok gibi en sonra olan kadar ne ise ama olduğu"
    " her o değil"
    " var göre ya ki mi ancak oldu yeni",
    "id": "yang dan di dengan untuk dari ini itu pada tidak dalam akan ke juga oleh ada adalah"
    " karena"
    " telah saat sudah kepada bisa tersebut mereka atau para",
    "vi": "và của là có trong cho được không với các một những này đã người khi ở từ đến về ra"
    " như để tại"
    " theo cũng nhiều năm sẽ",
    "ca": "de la que el i en els a les per un amb del una no és al ha es va més són com dels"
    " aquest o però"
    " aquesta també seva ser seu perquè quan",
    "hr": "i u na je se da za su od s o koji a iz bi te kao što ne ali sa koja će ili bio po"
    " nakon još sve"
    " više samo ako kako biti",
    "sl": "in je v na se za da so s z ki pa ne o po kot bi tudi od ali še pri iz do bo leta jih"
    " kar bil"
    " več lahko samo med",
    "ru": "и в не на я быть он с что а по это она этот к но они мы весь который из у то за свой"
    " для о так его от как было еще же бы все если или были только",
    "uk": "і в не на що з у та до як це за про він я від а для його але який також вони є бути"
    " було або"
    " після які якщо під цього року ще вже",
    "bg": "и на да в се от за е не с че са по като си до а това при или но който което ще които"
    " след"
    " бе беше към още може има така само",
    "sr": "и у на је се да за су од са о који а из би као што не али која ће или био по након"
    " још све"
    " више само ако како бити",
    "mk": "и на во да се од за е не со што ќе ги по како беше но или го кои која има тоа не"
    " многу само"
    " ова дека при",
    "be": "і ў на не што з у да як гэта за пра ён я ад а для яго але які таксама яны ёсць быць"
    " было або"
    " пасля калі яшчэ ужо",
    "ar": "في من على أن إلى عن التي الذي ما لا هذا هذه كان مع بعد ذلك كما بين قد قال أو وقد حيث"
    " عام خلال"
    " هو هي كل",
    "fa": "و در به از که این را با است برای آن یک تا می بر خود شده هم شد کرد های نیز اما ما بود"
    " او کند"
    " باید",
    "ur": "کے میں کی ہے اور سے کا کو اس کہ نے ہیں پر یہ کر بھی ایک تھا وہ نہیں جو تو ہو گیا",
    "hi": "के में की है और से का को इस कि ने हैं पर यह कर भी एक था वह नहीं जो तो हो गया लिए साथ",
    "mr": "आहे आणि या तो ही हे की व त्या च्या मध्ये होते होता आहेत साठी करून नाही पण ते",
    "ne": "छ र को मा पनि लाई ले यो भने गर्ने भएको हो थियो छन् गरेको तर एक नेपाल",
}
_LANGUAGES_OF: dict[str, list[str]] = {}
for _language, _words in _WORDS.items():
    for _word in dict.fromkeys(_words.split()):
        _LANGUAGES_OF.setdefault(_word, []).append(_language)
KNOWN = frozenset(_WORDS)


def word_shares(text: str) -> Mapping[str, float]:
    """Return the share of the words of a text that are function words of each language.

    It is empty for a text of few words.
    """
    words = _WORD.findall(text.lower())
    if len(words) < _MIN_WORDS:
        return {}
    hits = Counter(language for word in words for language in _LANGUAGES_OF.get(word, ()))
    return {language: count / len(words) for language, count in hits.items() if count >= _MIN_HITS}


def likely_language(shares: Mapping[str, float]) -> str | None:
    """Return the language whose function words are the most frequent, or None in doubt.

    >>> likely_language(word_shares("The rain fell on the town, and it was a night that nobody who"
    ... " lived there had seen before."))
    'en'
    """
    best, *others = sorted(shares.items(), key=lambda found: -found[1])[:2] or [("", 0.0)]
    if best[1] < _MIN_SHARE or (others and best[1] < _MIN_LEAD * others[0][1]):
        return None
    return best[0]
