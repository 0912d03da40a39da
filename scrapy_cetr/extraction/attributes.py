"""The names of the attributes of an article.

Settings and command lines are checked with them. They are not read from ``Article``, because its
module imports the whole library, which the main process of ``scrapy cetr`` does not need.
"""

ATTRIBUTES = (
    "text",
    "url",
    "method",
    "page_chars",
    "short",
    "truncated",
    "probability",
    "words",
    "kind",
    "kind_probability",
    "title",
    "authors",
    "date_published",
    "date_published_raw",
    "date_modified",
    "date_modified_raw",
    "description",
    "site_name",
    "language",
    "image",
    "canonical_url",
    "keywords",
    "section",
    "paywalled",
    "breadcrumbs",
    "blocks",
    "markdown",
    "html",
    "links",
    "images",
    "captions",
    "comments",
    "sources",
)
