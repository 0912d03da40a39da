"""The settings of the project; the comments say what you would change for a crawl of your own."""

BOT_NAME = "news"
SPIDER_MODULES = ["news.spiders"]

# All that scrapy-cetr needs: from here on every item carries its article_text.
ADDONS = {"scrapy_cetr.Addon": 500}
# Large pages or many cores: extract in other processes, so that downloads never wait.
# CETR_WORKERS = 2
# No items of pages with hardly any text, such as lists and forms.
# CETR_MIN_WORDS = 50
# CETR_SHORT = "drop"

# Name yourself and a way to reach you, so that a site can complain instead of blocking you.
USER_AGENT = "news-example (+https://example.org/who-crawls)"
ROBOTSTXT_OBEY = True
# One request a second to a site that is not yours; for a site of your own: -s DOWNLOAD_DELAY=0.
DOWNLOAD_DELAY = 1
CONCURRENT_REQUESTS_PER_DOMAIN = 4

# Where the articles go. Overwritten by each crawl, but not by one that has found nothing; a crawl
# that you pause and resume with JOBDIR has to add to the file instead: "overwrite": False.
FEEDS = {
    "articles.jsonl": {
        "format": "jsonlines",
        "encoding": "utf-8",
        "overwrite": True,
        "store_empty": False,
    },
}
# Orders above 50, that of scrapy-cetr, so that the text is there when an item is stored.
ITEM_PIPELINES = {"news.pipelines.SqlitePipeline": 300}
# Kept from crawl to crawl: a page that is crawled again replaces what was stored of it.
SQLITE_FILE = "articles.sqlite"
