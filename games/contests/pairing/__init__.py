"""Pairings: round robins, Swiss rounds, knockouts, groups. PURE: numbers in, tables of numbers out."""
