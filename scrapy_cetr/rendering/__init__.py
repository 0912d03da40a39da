"""Pages in a browser: what it shows of each element is written into the HTML of the page."""
