"""A Scrapy project that stores the articles of a news site."""
