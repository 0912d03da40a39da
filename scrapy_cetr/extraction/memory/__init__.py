"""The memory of a crawl: what stood on several pages of a site is evidence against it."""
