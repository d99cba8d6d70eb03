"""The help pages. Each term has one text, used on the rules pages and in the tips next to what it explains."""
