"""The roles of rows: what each is in an article, and which rows its text is composed of."""
