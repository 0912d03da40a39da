"""HTML reports: on a page, why each row was kept or dropped; on a crawl, which pages to inspect."""
