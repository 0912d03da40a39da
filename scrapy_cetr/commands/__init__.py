"""The commands that the plugin adds to Scrapy's own."""
