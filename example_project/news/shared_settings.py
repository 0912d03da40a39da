"""The settings of a crawl that several processes, also on several hosts, share through Redis."""

from news.settings import ADDONS, BOT_NAME, ROBOTSTXT_OBEY, USER_AGENT

__all__ = ["ADDONS", "BOT_NAME", "ROBOTSTXT_OBEY", "USER_AGENT"]

SPIDER_MODULES = ["news.shared"]

# The server of the frontier: requests, seen URLs, near-duplicates, statistics.
REDIS_URL = "redis://localhost:6379/0"
SCHEDULER = "scrapy_redis.scheduler.Scheduler"
DUPEFILTER_CLASS = "scrapy_redis.dupefilter.RFPDupeFilter"
# Requests and seen URLs stay in Redis when a process ends.
SCHEDULER_PERSIST = True
STATS_CLASS = "scrapy_redis.stats.RedisStatsCollector"
# When a spider closes, this extension reads its start time, which that collector takes for a whole
# number.
EXTENSIONS = {"scrapy.extensions.logstats.LogStats": None}
# A process without requests for this many seconds ends; 0 waits for more for ever.
MAX_IDLE_TIME_BEFORE_CLOSE = 30

ITEM_PIPELINES = {"scrapy_cetr.CetrSharedDuplicatesPipeline": 60}
CETR_DUPLICATES = "flag"
CETR_FIELDS = {"article_text": "text", "title": "title", "published": "date_published"}

# Each process counts its own requests: two of them send twice as many.
DOWNLOAD_DELAY = 1
CONCURRENT_REQUESTS_PER_DOMAIN = 4

# A file per process.
FEED_URI_PARAMS = "news.shared.redis_news.feed_params"
FEEDS = {
    "articles-%(process)s.jsonl": {
        "format": "jsonlines",
        "encoding": "utf-8",
        "store_empty": False,
    },
}
CETR_REPORT = "report-%(process)s.json.gz"
