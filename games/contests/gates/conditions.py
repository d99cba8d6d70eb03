"""Entry conditions of leagues and tournaments: what they ask, what a person has, and who meets them.

They are checked when someone enters, and again at the start. What players may rely on:

- A rating may leave the range by `LEEWAY` points between entering and the start, because ratings change meanwhile.
- An invitation counts when a player enters. Nobody loses their place because the link was renewed later.
- A replacement named by the organizer need not meet the conditions. A refusal would reveal which ones they don't meet.
- Players who fail the check at the start are told privately what was missing. Organizers learn how many were left out.
"""

import secrets
from collections.abc import Iterable
from typing import NamedTuple

from allauth.account.models import EmailAddress
from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext, ngettext

from accounts.models import User
from games.clocks.clock import Reliability
from games.contests.models import Admitted, Apart, RatedPlayer
from games.contests.organizers import Competition, key_of
from games.contests.terms.declaration import AnyTerms
from games.errors import GameError
from games.notices.outbox.words import Words, later
from games.rules.words import SEPARATOR
from games.tables.selectors.options import short_name
from games.tables.selectors.rights import Reader, is_person
from games.tables.services.deadlines import FEW_TURNS

LEEWAY = 100  # points
CHUNK = 500  # users per query
LOOKED_AT = 2000  # players looked at for someone who meets the conditions
# Moderators have closed the account, or it was made inactive in the admin. Such people take part in nothing that starts
# afterward, because bots would play all their matches.
CLOSED_ACCOUNT = Q(user__is_closed=True) | Q(user__is_active=False)


class Facts(NamedTuple):
    """The facts of a person that conditions ask for. `rating` is None without a rated game in this ruleset."""

    rating: int | None
    games: int
    reliability: Reliability | None
    has_email: bool


class Condition(NamedTuple):
    """A condition as a sentence. `comment` tells the reader what they have, and what to do if that is not enough."""

    requirement: str
    is_met: bool | None = None  # None if the reader has no account
    comment: str = ""


def facts_of(people: Iterable[User], ruleset: str) -> dict[int, Facts]:
    """Return the facts of each person by id."""
    users = list(people)
    facts: dict[int, Facts] = {}
    for n in range(0, len(users), CHUNK):
        chunk = users[n : n + CHUNK]
        rated = RatedPlayer.objects.filter(ruleset=ruleset, user__in=chunk, contests__gt=0)
        ratings = {user: (shown, games) for user, shown, games in rated.values_list("user", "shown", "contests")}
        confirmed = EmailAddress.objects.filter(user__in=chunk, verified=True, email__iexact=F("user__email"))
        proven = set(confirmed.values_list("user", flat=True))
        for user in chunk:
            rating, games = ratings.get(user.pk, (None, 0))
            facts[user.pk] = Facts(rating, games, user.reliability, user.pk in proven)
    return facts


# Single conditions


def is_rating_met(terms: AnyTerms, rating: int | None, leeway: int = 0) -> bool:
    if not terms.rating_from and not terms.rating_to:
        return True
    if rating is None:
        return False
    return terms.rating_from - leeway <= rating and (not terms.rating_to or rating <= terms.rating_to + leeway)


def is_reliability_met(terms: AnyTerms, shown: Reliability | None) -> bool:
    return shown is None or shown.turns < FEW_TURNS or shown.percent >= terms.reliability


def is_met(terms: AnyTerms, facts: Facts, leeway: int = 0) -> bool:
    """Return whether all conditions are met, except the invitation."""
    return (
        is_rating_met(terms, facts.rating, leeway)
        and facts.games >= terms.games_from
        and is_reliability_met(terms, facts.reliability)
        and (facts.has_email or not terms.confirmed_email)
    )


# For pages and refusals


def conditions(terms: AnyTerms, facts: Facts | None, leeway: int = 0) -> list[Condition]:
    """Return the conditions of the terms, except the invitation, and whether a person with these facts meets them."""
    game, conditions = short_name(terms.ruleset), []
    if terms.rating_from or terms.rating_to:
        comment, met = "", None
        if facts is not None:
            met = is_rating_met(terms, facts.rating, leeway)
            comment = (
                gettext("You have no rating yet. Finish a rated game first.")
                if facts.rating is None
                else gettext("Your rating is {n}.").format(n=facts.rating)
            )
        conditions.append(Condition(_rating_requirement(terms, game), met, comment))
    if terms.games_from:
        requirement = ngettext(
            "At least {n} finished rated game of {game}", "At least {n} finished rated games of {game}",
            terms.games_from,
        )  # fmt: skip
        comment, met = "", None
        if facts is not None:
            met = facts.games >= terms.games_from
            have = ngettext("You have finished {n}.", "You have finished {n}.", facts.games)
            comment = have.format(n=facts.games)
        conditions.append(Condition(requirement.format(n=terms.games_from, game=game), met, comment))
    if terms.reliability:
        requirement = gettext("At least {n}% of turns on time, or fewer than {few} turns so far")
        comment, met = "", None
        if facts is not None:
            met = is_reliability_met(terms, facts.reliability)
            if facts.reliability is None:
                comment = gettext("You have not played a turn yet.")
            else:
                comment = gettext("You have {n}%.").format(n=facts.reliability.percent)
        conditions.append(Condition(requirement.format(n=terms.reliability, few=FEW_TURNS), met, comment))
    if terms.confirmed_email:
        comment, met = "", None
        if facts is not None:
            met = facts.has_email
            comment = "" if met else gettext("Confirm your email address in your settings first.")
        conditions.append(Condition(gettext("A confirmed email address"), met, comment))
    return conditions


def _rating_requirement(terms: AnyTerms, game: str) -> str:
    if not terms.rating_to:
        sentence = gettext("A rating of {low} or more in {game}")
    elif not terms.rating_from:
        sentence = gettext("A rating of {high} or less in {game}")
    else:
        sentence = gettext("A rating from {low} to {high} in {game}")
    return sentence.format(low=terms.rating_from, high=terms.rating_to, game=game)


def is_invited(competition: Competition, user: User, token: str = "") -> bool:
    """Return whether the person may enter an invite-only competition: its organizer, on the list, or with the link."""
    if competition.organizer_id == user.pk or (
        token and secrets.compare_digest(token.encode(), competition.invite_token.encode())
    ):
        return True
    return admitted(competition).filter(user=user).exists()


def admitted(competition: Competition) -> QuerySet[Admitted]:
    return Admitted.objects.filter(**key_of(competition))


def pairs_apart(kind: str) -> Coalesce:
    """Return an expression for the number of forbidden pairings of a row, a `league` or `tournament`."""
    of_it = Apart.objects.filter(**{kind: OuterRef("pk")}).order_by().values(kind)
    return Coalesce(Subquery(of_it.annotate(n=Count("pk")).values("n")), 0)


def kept_apart(competition: Competition) -> set[frozenset[int]]:
    """Return the pairs of users who must not meet."""
    return set(map(frozenset, Apart.objects.filter(**key_of(competition)).values_list("first", "second")))


def need_entry(competition: Competition, terms: AnyTerms, user: User, token: str = "") -> None:
    """Raise `GameError` with what this person lacks to enter. `token` is from the invitation link, if they have it."""
    lacks = _lacks(terms, _facts(terms, user))
    if terms.invite_only and not is_invited(competition, user, token):
        lacks.insert(0, gettext("Entry is by invitation. Ask the organizer for the invitation link."))
    if lacks:
        raise GameError(gettext("You can’t enter yet. {lacks}").format(lacks=" ".join(lacks)))


def need_to_return(terms: AnyTerms, user: User) -> None:
    """Raise `GameError` with what this person, who has entered before, lacks by now."""
    if lacks := _lacks(terms, _facts(terms, user), LEEWAY):
        raise GameError(gettext("You can’t return yet. {lacks}").format(lacks=" ".join(lacks)))


def has_conditions(terms: AnyTerms) -> bool:
    """Return whether there is a condition, except the invitation."""
    return bool(terms.rating_from or terms.rating_to or terms.games_from or terms.reliability or terms.confirmed_email)


def _facts(terms: AnyTerms, user: User) -> Facts | None:
    return facts_of([user], terms.ruleset)[user.pk] if has_conditions(terms) else None


def _lacks(terms: AnyTerms, facts: Facts | None, leeway: int = 0) -> list[str]:
    """Return a sentence about each condition that a person with these facts does not meet."""
    sentence = gettext("Required: {asked}. {mine}")
    return [
        sentence.format(asked=condition.requirement, mine=condition.comment).strip()
        for condition in conditions(terms, facts, leeway)
        if not condition.is_met
    ]


class Gate(NamedTuple):
    """The entry conditions as a page shows them to one reader. `warning` is for organizers.

    `apart` is the number of forbidden pairings, which everyone may know; whose they are, only organizers do.
    """

    invite_only: bool
    is_invited: bool
    conditions: list[Condition]
    warning: str
    apart: int

    @property
    def asks_nothing(self) -> bool:
        """Whether anyone can enter."""
        return not self.invite_only and not self.conditions

    @property
    def is_closed(self) -> bool:
        """Whether the reader does not meet a condition."""
        if self.invite_only and not self.is_invited:
            return True
        return any(condition.is_met is False for condition in self.conditions)


def gate(
    competition: Competition, terms: AnyTerms, reader: Reader, *, is_organizer: bool, has_entered: bool, apart: int,
    token: str = "",
) -> Gate:  # fmt: skip
    """Return the entry conditions for a reader. Guests are shown them like visitors, because they have to sign up.

    `apart` is the number of forbidden pairings.
    """
    person = reader if is_person(reader) and not reader.is_guest else None
    is_let_in = has_entered or bool(person and terms.invite_only and is_invited(competition, person, token))
    checked = conditions(terms, _facts(terms, person) if person else None, LEEWAY if has_entered else 0)
    return Gate(terms.invite_only, is_let_in, checked, nobody_meets(terms) if is_organizer else "", apart)


def nobody_meets(terms: AnyTerms) -> str:
    """Return a sentence for the organizer if nobody on the site meets the conditions, else an empty text.

    Only what everyone can see on players' pages is looked at, so that nobody can find out whether a player has
    confirmed their email address by asking for that and for the player's exact rating.
    """
    if not (terms.rating_from or terms.rating_to or terms.games_from):
        return ""  # new players meet the others
    rated = RatedPlayer.objects.filter(
        ruleset=terms.ruleset,
        user__is_active=True,
        contests__gte=max(terms.games_from, 1),
        shown__gte=terms.rating_from,
    )
    if terms.rating_to:
        rated = rated.filter(shown__lte=terms.rating_to)
    for player in rated.select_related("user").order_by("-last_at")[:LOOKED_AT]:
        if player.user is not None and is_reliability_met(terms, player.user.reliability):
            return ""
    sentence = gettext(
        "No player of {game} meets these conditions right now: {asked}. Relax them, or nobody can enter."
    )
    public = [condition.requirement for condition in conditions(terms, None)]
    return sentence.format(game=short_name(terms.ruleset), asked=gettext(SEPARATOR).join(public))


# At the start


def lacks_of(terms: AnyTerms, people: Iterable[User]) -> dict[int, Words]:
    """Return what people lack by now, by id, for those who no longer meet the conditions."""
    if not has_conditions(terms):
        return {}
    lacking = {pk: facts for pk, facts in facts_of(people, terms.ruleset).items() if not is_met(terms, facts, LEEWAY)}
    return {pk: later(_lacks_in_words, terms, facts) for pk, facts in lacking.items()}


def _lacks_in_words(terms: AnyTerms, facts: Facts) -> str:
    return " ".join(_lacks(terms, facts, LEEWAY))


def left_out(number: int) -> str:
    """Return a sentence for the organizer, which names nobody."""
    sentence = ngettext(
        "{n} player who had signed up no longer met the entry conditions and was left out.",
        "{n} players who had signed up no longer met the entry conditions and were left out.",
        number,
    )
    return sentence.format(n=number) if number else ""


def will_be_left_out(number: int) -> str:
    """Return the same before the start, for the page that asks for confirmation."""
    sentence = ngettext(
        "{n} player no longer meets the entry conditions and is left out.",
        "{n} players no longer meet the entry conditions and are left out.",
        number,
    )
    return sentence.format(n=number) if number else ""
