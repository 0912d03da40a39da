"""The spider of a shared crawl, which needs scrapy-redis."""
