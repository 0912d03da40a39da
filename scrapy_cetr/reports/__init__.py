"""Reports on pages and crawls, as HTML."""
