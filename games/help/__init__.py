"""What the help says: one text for each term, shown on the rules pages and in the tips beside what it explains."""
