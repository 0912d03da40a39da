"""The pictures of an article: which images of a page belong to it."""

import pytest

from scrapy_cetr import Article, extract
from scrapy_cetr.extraction.html.details import Image

URL = "https://courier.example/news/flood"
SITE = "https://courier.example"
STORY = {
    "en": "It rained all day, and by night the river stood in the streets of the old town. ",
    "de": "Es regnete den ganzen Tag, und nachts stand der Fluss in den Straßen der Altstadt. ",
    "el": "Έβρεχε όλη μέρα και τη νύχτα το ποτάμι έφτασε στους δρόμους της παλιάς πόλης. ",
    "zh": "整天都在下雨，到了晚上，河水漫进了老城的街道，没有人能说水什么时候会退。",
}


def paragraphs(language: str, *numbers: int) -> str:
    # A repeated paragraph would be left out.
    return "".join(f"<p>{number} {STORY[language] * number}</p>" for number in numbers)


def extracted(
    *, head: str = "", top: str = "", middle: str = "", end: str = "", language: str = "en"
) -> Article:
    """Extract a page with markup after the headline, within the text, and after it."""
    body = (
        f"<article>{top}{paragraphs(language, 2, 3)}{middle}{paragraphs(language, 4, 5)}</article>"
    )
    html = (
        f"<head><title>The flood in town</title>{head}</head><h1>The flood in town</h1>{body}{end}"
    )
    return extract(html, url=URL)


@pytest.mark.parametrize("language", STORY)
def test_images_are_those_within_the_text(language: str) -> None:
    article = extracted(middle="<div><img src=/boat.jpg alt='A boat'></div>", language=language)
    assert article.images == (Image(f"{SITE}/boat.jpg", "A boat"),)
    assert f"![A boat]({SITE}/boat.jpg)" in article.markdown
    assert f'<img src="{SITE}/boat.jpg" alt="A boat">' in article.html


@pytest.mark.parametrize("language", STORY)
def test_image_of_a_figure_has_its_caption(language: str) -> None:
    figure = "<figure><div><img src=/boat.jpg></div><figcaption>A <b>boat</b></figcaption></figure>"
    article = extracted(middle=figure, language=language)
    assert article.images == (Image(f"{SITE}/boat.jpg", "", "A boat"),)


@pytest.mark.parametrize(
    "caption",
    [
        "<p class=wp-caption-text>A boat</p>",
        "<div class='image-caption'>A boat</div>",
        "<span class=photoCaption>A boat</span>",
        "<p class=bildunterschrift>A boat</p>",
    ],
)
def test_caption_is_recognised_by_its_class_name(caption: str) -> None:
    article = extracted(middle=f"<div class=photo><img src=/boat.jpg>{caption}</div>")
    assert article.images == (Image(f"{SITE}/boat.jpg", "", "A boat"),)
    assert article.captions == ("A boat",)


def test_caption_of_another_image_is_not_taken() -> None:
    figures = (
        "<figure><img src=/boat.jpg></figure>"
        "<figure><img src=/bridge.jpg><figcaption>A bridge</figcaption></figure>"
    )
    captions = [image.caption for image in extracted(middle=figures).images]
    assert captions == ["", "A bridge"]


def test_figure_is_one_unit_in_html() -> None:
    text = "A boat lies in the street, where cars were parked on the day before. " * 3
    figure = f"<figure><img src=/boat.jpg><figcaption>{text}</figcaption></figure>"
    html = extracted(middle=figure).html
    if text.strip() in html:
        image = f'<img src="{SITE}/boat.jpg" alt="">'
        assert f"<figure>{image}<figcaption>{text.strip()}</figcaption>\n</figure>" in html
    assert "<figure><img" in html or "<figure>" not in html


def test_image_between_headline_and_text_belongs_to_the_article() -> None:
    top = (
        "<figure><img src=/boat.jpg><figcaption>A boat. Photo: Bo</figcaption></figure>"
        "<div class=byline>By Ann Lee</div><div class=tools>Print Mail Share</div>"
    )
    assert [image.url for image in extracted(top=top).images] == [f"{SITE}/boat.jpg"]


@pytest.mark.parametrize(
    "junk",
    [
        "<div class=author-box><img src=/ann.jpg></div>",
        "<span class=avatar><img src=/ann.jpg></span>",
        "<img class=avatar src=/ann.jpg>",
        "<div class=share-buttons><img src=/f.png></div>",
        "<img src=/img/logo.png>",
        "<img src=/smile.png class=wp-smiley>",
        "<img src=https://s.w.example/images/core/emoji/72x72/1f600.png>",
        "<img src=/a.png width=16 height=16>",
        "<img src=/t.png width=1 height=1>",
        "<img src=''>",
        "<img src=/img/spacer.gif>",
        "<img src='data:image/png;base64,AA'>",
        "<noscript><img height=1 width=1 src=https://t.example/tr?id=1></noscript>",
        "<div class=related><a href=/b><img src=/b.jpg></a><h4><a href=/b>A bridge</a></h4></div>",
        "<nav><img src=/n.jpg></nav>",
    ],
)
def test_junk_is_not_among_the_images(junk: str) -> None:
    article = extracted(top=junk, middle=junk)
    assert article.images == ()
    assert "![" not in article.markdown
    assert "<img" not in article.html


def test_images_far_from_the_text_are_not_of_the_article() -> None:
    teasers = "".join(
        f"<div class=item><a href=/{n}><img src=/{n}.jpg></a><p><a href=/{n}>Title {n} of the"
        f" day</a>"
        for n in range(9)
    )
    assert extracted(end=f"<section>{teasers}</section>").images == ()


def test_same_picture_in_another_size_appears_once() -> None:
    middle = (
        "<div><img src=/boat-1200x800.jpg></div><p>And so on.</p><div><img src=/boat.jpg></div>"
    )
    assert len(extracted(middle=middle).images) == 1


def test_main_image_comes_first() -> None:
    head = "<meta property=og:image content=/cdn/bridge-1200x630.jpg>"
    middle = "<div><img src=/boat.jpg></div><div><img src=/bridge.jpg alt=Bridge></div>"
    article = extracted(head=head, middle=middle)
    assert [image.url for image in article.images] == [f"{SITE}/bridge.jpg", f"{SITE}/boat.jpg"]
    assert article.images[0].alt == "Bridge"


def test_main_image_that_the_page_does_not_show_is_added() -> None:
    article = extracted(head="<meta property=og:image content=/bridge.jpg>")
    assert article.images == (Image(f"{SITE}/bridge.jpg", ""),)
    assert "bridge.jpg" not in article.markdown


def test_main_image_is_found_in_unusual_places_of_the_page() -> None:
    head = "<meta property=og:image content=/bridge.jpg>"
    top = "<div class=header-teaser><img src=/bridge-800x600.jpg><p>Foto: Bo Chen, im Mai</p></div>"
    assert "bridge-800x600.jpg" in extracted(head=head, top=top).markdown


@pytest.mark.parametrize(
    "logo", ["/img/logo.png", "/courier-logo.jpg", "/og-image.png", "/default.jpg"]
)
def test_logo_of_the_site_is_no_main_image(logo: str) -> None:
    article = extracted(head=f"<meta property=og:image content={logo}>")
    assert (article.image, article.images) == (None, ())


def test_logo_of_the_publisher_is_no_main_image() -> None:
    head = (
        "<meta property=og:image content=https://courier.example/c.png>"
        '<script type="application/ld+json">{"@type": "NewsArticle", "publisher": {"@type":'
        ' "Organization", "logo": {"@type": "ImageObject", "url": "https://courier.example/c.png"}},'
        ' "image": "https://courier.example/boat.jpg"}</script>'
    )
    assert extracted(head=head).image == f"{SITE}/boat.jpg"


def test_article_in_json_ld_has_its_main_image() -> None:
    html = (
        '<script type="application/ld+json">{"@type": "NewsArticle", "image": "https://a.example/b.jpg",'
        f' "articleBody": "{STORY["en"] * 30}"}}</script><p>Subscribe.</p><img src=/x.jpg>'
    )
    assert extract(html).images == (Image("https://a.example/b.jpg", ""),)


def test_lazy_image_is_shown_with_its_real_url() -> None:
    middle = "<div><img src=data:, data-srcset='/s.jpg 100w, /l.jpg 900w'></div>"
    assert [image.url for image in extracted(middle=middle).images] == [f"{SITE}/l.jpg"]
