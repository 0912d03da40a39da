"""Write the kept rows of a page as text, Markdown and HTML."""
