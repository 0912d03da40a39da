"""The Scrapy commands that the plugin adds."""
