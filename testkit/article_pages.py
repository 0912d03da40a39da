"""An article page with menus, comments and a footer, made of parts that tests can vary."""

HEADLINE = "Bridge closed for repair"
STORY = (
    (
        "The harbour master of Tarnmouth closed the old lifting bridge on Monday morning, after"
        " divers had found cracks in its northern pier."
    ),
    (
        "Nobody in the town could say how long the repair would take, or who was going to pay for"
        " it, as the bridge belongs to two counties."
    ),
    (
        "Shopkeepers on the eastern bank expect to lose a third of their customers until the"
        " winter, and some have begun to look for rooms elsewhere."
    ),
    (
        "The council met for six hours, heard eleven speakers, and put off its decision until a"
        " second report has been written by the engineers."
    ),
    (
        "A ferry will carry pedestrians and bicycles for as long as the weather allows it to sail,"
        " said the owner of the only boat that is left."
    ),
    (
        "Until then, lorries have to drive round by the stone bridge at Oxcombe, which is narrow,"
        " and takes them another forty minutes each way."
    ),
)
COMMENTS = (
    "I have crossed that bridge every day for forty years, and nobody has ever painted it.",
    "Why not build a tunnel? Other towns have done so, and they have never looked back.",
    "My grandfather helped to build it, and he always said that it stood on sand.",
)
SECTIONS = ("News", "Sport", "Weather", "Culture", "Travel")
COPYRIGHT = "© 2024 The Courier. All rights reserved."


def menu() -> str:
    return "".join(f"<li><a href=/{name}>{name}</a></li>" for name in SECTIONS)


def paragraphs(*texts: str) -> str:
    return "".join(f"<p>{text}</p>\n" for text in texts)


def article_page(*, story: str = paragraphs(*STORY), after: str = "") -> str:
    return f"""<!doctype html><html><head><title>{HEADLINE} - The Courier</title></head><body>
<header><nav class=menu><ul>{menu()}</ul></nav></header>
<main><article><h1>{HEADLINE}</h1>
{story}</article>
{after}</main>
<footer class=footer><ul>{menu()}</ul><p>{COPYRIGHT}</p></footer></body></html>"""


def comments() -> str:
    posts = "".join(
        f"<li class=comment><div class=comment-author>Reader {number}</div>"
        f"<div class=comment-body><p>{text}</p></div><a href=#>Reply</a></li>\n"
        for number, text in enumerate(COMMENTS)
    )
    return f"<section id=comments class=comments><h3>3 comments</h3><ol>{posts}</ol></section>"


INDEX = article_page(
    story="".join(
        f"<div class=teaser><h3><a href=/{number}>Story number {number} of the day</a></h3></div>\n"
        for number in range(30)
    )
)
