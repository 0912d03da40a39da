"""The settings of the project; comments name what to change for your own crawl."""

BOT_NAME = "news"
SPIDER_MODULES = ["news.spiders"]

# Enables scrapy-cetr: every item gets an article_text.
ADDONS = {"scrapy_cetr.Addon": 500}
# Large pages or many cores: extract in other processes, so that downloads never wait.
# CETR_WORKERS = 2
# Drop items of pages with little text, such as lists and forms.
# CETR_MIN_WORDS = 50
# CETR_SHORT = "drop"

# Name yourself and a way to reach you, so that a site can complain instead of blocking you.
USER_AGENT = "news-example (+https://example.org/who-crawls)"
ROBOTSTXT_OBEY = True
# One request per second; for your own site: -s DOWNLOAD_DELAY=0.
DOWNLOAD_DELAY = 1
CONCURRENT_REQUESTS_PER_DOMAIN = 4

# Each crawl that finds articles overwrites the file. To pause and resume crawls with JOBDIR, append
# to the file instead: "overwrite": False.
FEEDS = {
    "articles.jsonl": {
        "format": "jsonlines",
        "encoding": "utf-8",
        "overwrite": True,
        "store_empty": False,
    },
}
# The order is above 50, that of scrapy-cetr, so that items have their text when they are stored.
ITEM_PIPELINES = {"news.pipelines.SqlitePipeline": 300}
# Kept between crawls; a page that is crawled again replaces its row.
SQLITE_FILE = "articles.sqlite"
