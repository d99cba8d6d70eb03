"""Whether what a league or a tournament declares can be scheduled, and fits the time that it gives itself. PURE."""

from games.leagues.terms import AnyTerms


def meeting_days(terms: AnyTerms, decisions: int) -> float:
    """How long a meeting likely takes. `decisions`: how often one player is waited for in one game."""
    raise NotImplementedError


def check(terms: AnyTerms, decisions: int) -> None:
    """Raises `IllegalAction` with a sentence that names a line, for the first thing that does not fit."""
    raise NotImplementedError
