"""Notices to the people of a tournament, each sent once. The notice of a game announces the start of a match."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from accounts.models import User
from games.contests import interventions, organizers
from games.contests.models import Announcement, Appearance, Entrant, Pool, Tournament
from games.contests.pairing.formats import KINDS
from games.notices.kinds import Kind
from games.notices.outbox import outbox
from games.notices.outbox.words import Words, enumerated, joined, later
from games.notices.outbox.words import gettext_later as _
from games.notices.outbox.words import ngettext_later as ngettext


def tell_begins(tournament: Tournament, entrants: Sequence[Entrant]) -> None:
    players = ngettext("%(n)d player", "%(n)d players", len(entrants)) % {"n": len(entrants)}
    rounds = ngettext("%(n)d round", "%(n)d rounds", tournament.rounds) % {"n": tournament.rounds}
    lead = _("{players}, {rounds}. We notify you whenever one of your matches starts.")
    _tell_all(tournament, entrants, "begins", _("{name} has started"), lead.format(players=players, rounds=rounds))


def tell_arena_begins(tournament: Tournament, entrants: Sequence[Entrant]) -> None:
    days = ngettext("%(n)d day", "%(n)d days", tournament.declared.days) % {"n": tournament.declared.days}
    lead = _("It lasts {days}. Ask for a match on its page whenever you like; your best {n} count.")
    _tell_all(
        tournament, entrants, "begins", _("{name} has started"), lead.format(days=days, n=tournament.declared.best)
    )


def tell_byes(tournament: Tournament, entrants: Iterable[Entrant]) -> None:
    title = _("{name}: you have a bye in round {round}").format(name="{name}", round=tournament.round)
    lead = _("There is no opponent left for you in round {round}. This doesn’t count against you.")
    lead = joined(lead.format(round=tournament.round), after_bye(tournament))
    _tell_all(tournament, entrants, f"bye.{tournament.round}", title, lead)


def after_bye(tournament: Tournament) -> Words:
    """Return a sentence that tells an entrant with a bye in the current round what comes after it."""
    if KINDS[tournament.declared.format].has_bracket:
        return _("You advance to the next round without playing.")
    has_final = KINDS[tournament.declared.format].finalists is not None
    if tournament.round < tournament.rounds - has_final:
        return _("You play again in the next round.")
    if has_final:
        return _("It is the last round of the groups, so you play again only if you reach the final.")
    return _("It is the last round, so you have no more matches.")


def tell_through(tournament: Tournament, pool: Pool, entrants: Iterable[Entrant]) -> None:
    """Notify the entrants who advance and have played; those with a bye know already."""
    played = set(
        Appearance.objects.filter(match__pool=pool, match__round=tournament.round).values_list("entrant", flat=True)
    )
    lead = _("Round {round} is over, and you advance.").format(round=tournament.round)
    winners = [entrant for entrant in entrants if entrant.pk in played]
    _tell_all(tournament, winners, f"through.{tournament.round}", _("{name}: you advance"), lead)


def tell_out(tournament: Tournament, entrants: Iterable[Entrant]) -> None:
    lead = _("Round {round} was your last. Thank you for playing. You can watch the remaining matches.")
    _tell_all(
        tournament,
        entrants,
        f"out.{tournament.round}",
        _("{name}: you have been eliminated"),
        lead.format(round=tournament.round),
    )


def tell_final(tournament: Tournament, final: Pool) -> None:
    entrants = list(Entrant.objects.filter(tournament=tournament, left_at=None).select_related("user"))
    finalists = [entrant for entrant in entrants if entrant.pool_id == final.pk]
    names = later(enumerated, [entrant.name for entrant in finalists])
    lead = _("The groups are over. The finalists are {names}.").format(names=names)
    _tell_all(tournament, finalists, "final", _("{name}: you are in the final"), lead)
    others = [entrant for entrant in entrants if entrant.pool_id != final.pk]
    _tell_all(tournament, others, "groups", _("{name}: the final starts"), lead)


def tell_ended(tournament: Tournament, entrants: Sequence[Entrant]) -> None:
    winners = [entrant.name for entrant in entrants if entrant.place == 1]
    won = ngettext("{names} won.", "{names} tied for the win.", len(winners)).format(names=later(enumerated, winners))
    playing = [entrant for entrant in entrants if entrant.left_at is None]
    with outbox.together([entrant.user for entrant in playing if entrant.user]):
        for entrant in playing:
            if entrant.user is not None:
                title, place = _("{name} has ended"), _("You finished in place {place} of {number}.")
                lead = joined(won, place.format(place=entrant.place, number=len(entrants)))
                if entrant.place == 1 and len(winners) == 1:
                    title, others = _("You won {name}"), len(entrants) - 1
                    lead = ngettext(
                        "You came first, ahead of %(n)d player.", "You came first, ahead of %(n)d players.", others
                    )
                    lead = lead % {"n": others}
                _tell(tournament, entrant.user, "ended", title, lead)
    _tell_organizer(tournament, "ended", _("{name} has ended"), won, exclude=entrants)


def tell_closed(tournament: Tournament, reason: Words | str) -> None:
    entrants = list(Entrant.objects.filter(tournament=tournament).select_related("user"))
    lead = _("The tournament was canceled. {reason}").format(reason=reason)
    _tell_all(tournament, entrants, "closed", _("{name} was canceled"), lead)
    _tell_organizer(tournament, "closed", _("{name} was canceled"), lead, exclude=entrants)


def tell_removed(tournament: Tournament, entrant: Entrant, reason: Words | str) -> None:
    """Notify an entrant who was removed before the start. This is not an intervention in a match."""
    lead = _("You are no longer in the tournament. {reason}").format(reason=reason)
    moment = f"removed.{entrant.joined_at:%Y%m%d%H%M%S}"
    if entrant.user is not None:
        _tell(tournament, entrant.user, moment, _("{name}: you were removed"), lead)


def tell_left_out(tournament: Tournament, lead: Words | str, now: datetime) -> None:
    """Tell the organizer how many were left out at the start, and not who or why."""
    _tell_organizer(tournament, f"gates.{now:%Y%m%d%H%M%S}", _("{name}: players left out"), lead)


def tell_announced(tournament: Tournament, reader: User, announcement: Announcement) -> None:
    outbox.tell_user(
        kind=Kind.ANNOUNCED, user=reader, about=f"announced.{announcement.pk}", lead=announcement.text,
        title=_("Announcement in {name}").format(name=tournament.name), url=tournament.get_absolute_url(),
    )  # fmt: skip


def tell_late(tournament: Tournament) -> None:
    title = _("{name}: round {round} is late").format(name="{name}", round=tournament.round)
    for organizer in organizers.notified(tournament):
        if interventions.plays_in(tournament, organizer):
            lead = _(
                "Round {round} should be over by now. You play in this tournament, so you can’t decide about its "
                "matches. Another organizer or site staff can extend or annul them."
            )
        else:
            lead = _(
                "Round {round} should be over by now. You can extend its matches, or annul the ones that don’t end."
            )
        _tell(tournament, organizer, f"late.{tournament.round}", title, lead.format(round=tournament.round))


def _tell_organizer(
    tournament: Tournament, event: str, title: Words, lead: Words | str, exclude: Iterable[Entrant] = ()
) -> None:
    playing = {entrant.user_id for entrant in exclude}
    for organizer in organizers.notified(tournament):
        if organizer.pk not in playing:
            _tell(tournament, organizer, event, title, lead)


def _tell_all(tournament: Tournament, entrants: Iterable[Entrant], event: str, title: Words, lead: Words) -> None:
    people = [entrant.user for entrant in entrants if entrant.user is not None]
    with outbox.together(people):
        for user in people:
            _tell(tournament, user, event, title, lead)


def _tell(tournament: Tournament, reader: User, event: str, title: Words, lead: Words | str) -> None:
    outbox.tell_user(
        kind=Kind.SEASON, user=reader, about=f"tournament.{tournament.pk}.{event}",
        title=title.format(name=tournament.name), lead=lead, url=tournament.get_absolute_url(),
    )  # fmt: skip
