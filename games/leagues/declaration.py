"""A league or a tournament declared in a TOML file: `parse` reads one, `text` writes one with comments. PURE.

The file has one table, `[league]` or `[tournament]`, and in it the lines of `terms.py`.
"""

from games.leagues.fitting import check
from games.leagues.terms import AnyTerms, Terms, TournamentTerms

__all__ = ["AnyTerms", "Terms", "TournamentTerms", "check", "parse", "text"]


def parse(toml: str) -> AnyTerms:
    """The terms that a text declares. Raises `IllegalAction` with a sentence that names the line."""
    raise NotImplementedError


def text(terms: AnyTerms) -> str:
    """The terms as a commented TOML text; the inverse of `parse`."""
    raise NotImplementedError
