"""Rules for single sites: which elements of their pages belong to the article."""
