"""Tables before the game: open, join, leave and close them. The game starts when the last seat is taken."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, ngettext_lazy

from accounts.acceptance import need_accepted
from accounts.http import AGAIN
from accounts.models import User
from accounts.moderation import newcomers
from accounts.moderation.services import need_account, need_tables
from games.bots.registry import BOTS, LEVELS
from games.clocks.clock import LONGEST, IllegalClock, parse
from games.errors import Illegal, NotFound, NotYours, TableError
from games.rules.protocol import Ruleset
from games.rules.registry import RULESETS
from games.tables import hooks
from games.tables.models import Block, FullGame, FullStatus, Game, Invitation, Seat, Status, TimeOut
from games.tables.models.game import USUAL_CLOCK, new_game, new_token, public_id_of
from games.tables.selectors import position, rematches, rights
from games.tables.services import commit, notify, play, start
from games.tables.services.commit import lock_row
from games.tables.services.deadlines import need_reliable
from games.tables.services.places import need_place

STALE_AFTER = timedelta(days=14)
HIGHEST_RATING = 4000  # that a table can ask for
NARROWEST = 100  # points between the lowest and the highest rating
MOST_OPEN = 20  # open tables of one player at the same time
EASIEST = LEVELS[0].slug
ASK = "ask"  # the value of existing orders that decide nothing
TAKES_TIME = gettext_lazy(
    "At a rated public table, you can remove only players who haven’t looked at the table for a day."
)
ALL_TAKEN = gettext_lazy("All seats at this table are taken. Choose another table.")
SHORTEST_CLOCK, LONGEST_CLOCK = 1, LONGEST  # hours


class SentTwice(Exception):  # noqa: N818 - nothing went wrong
    """The same form has just opened this game."""

    def __init__(self, game: Game) -> None:
        self.game = game


def opened_by(form: str) -> Game | None:
    """Return the table or game that the form with this digest has just opened, if any."""
    recent = Game.objects.filter(opened_at__gt=timezone.now() - AGAIN, status__in=[Status.OPEN, Status.RUNNING])
    return recent.filter(public_id=public_id_of(form)).select_related("opener").first() if form else None


@transaction.atomic
def open_table(
    *,
    user: User,
    ruleset: str = "legends",
    players: int = 2,
    clock: str = USUAL_CLOCK,
    reply_hours: int = 12,
    time_out: str = TimeOut.TURN,
    reliability: int = 0,
    rating_from: int = 0,
    rating_to: int = 0,
    bots: Sequence[str] = (),
    listed: bool = False,
    rated: bool = True,
    admits_bots: bool = False,
    full: bool = False,
    options: Mapping[str, Any] | None = None,
    form: str = "",
) -> Game:
    """Open a table with the user in the first seat and bots in the last ones. Raises `GameError`.

    `clock` is a text of `games.clocks`, `reliability` the minimum percentage of turns on time of players who join, and
    the ratings are the range they must be in, where 0 is no limit. `form` is the digest of the form that asks for it,
    if any. Raises `SentTwice` if that has just opened a game.
    """
    rules = known_rules(ruleset)
    check_table(rules, players, bots, options or {})
    check_clocks(clock, reply_hours, time_out)
    if not 0 <= reliability <= 100:
        raise TableError(gettext("Enter a percentage of turns on time between 0 and 100."))
    if not (0 <= rating_from <= HIGHEST_RATING and 0 <= rating_to <= HIGHEST_RATING):
        raise TableError(gettext("Enter ratings between 0 and %(n)d.") % {"n": HIGHEST_RATING})
    if rating_to and rating_to < rating_from + NARROWEST:
        sentence = gettext("Leave at least %(n)d points between the lowest and the highest rating.")
        raise TableError(sentence % {"n": NARROWEST})
    User.objects.select_for_update(no_key=True).get(pk=user.pk)  # so that two tabs share the limits
    if before := opened_by(form):
        raise SentTwice(before)
    check_not_too_many(user)
    (need_tables if len(bots) + 1 < players else need_account)(user)
    need_accepted(user)
    if listed:
        need_few_public(user)
    now = timezone.now()
    common = {
        "ruleset": ruleset, "options": start.options_of_new(rules, options), "players": players, "clock": clock,
        "reply_hours": reply_hours, "time_out": time_out, "reliability": reliability, "listed": listed, "rated": rated,
        "rating_from": rating_from, "rating_to": rating_to, "admits_bots": admits_bots, "opened_at": now,
    }  # fmt: skip
    contest = FullGame.objects.create(**common) if full else None
    wanted_id = public_id_of(form) if form else ""
    game = new_game(public_id=wanted_id, **common, rules_version=rules.version, opener=user, full_game=contest)
    if game.public_id != wanted_id and (before := opened_by(form)):
        raise SentTwice(before)  # as another guest, at the same moment
    seat = Seat.objects.create(game=game, number=0, user=user, owner=user, name=user.username)
    seat_bots(game, bots)
    begin_when_full(game, starter=seat, now=now)
    return game


@transaction.atomic
def play_now(
    *,
    user: User,
    ruleset: str = "legends",
    bots: Sequence[str] = ("medium",),
    options: Mapping[str, Any] | None = None,
    clock: str = USUAL_CLOCK,
    form: str = "",
) -> Game:
    """Start a private game against bots. `form` as in `open_table`.

    Because nobody waits for the user, no standing order answers for them until they change their orders.
    """
    game = open_table(
        user=user, ruleset=ruleset, players=len(bots) + 1, bots=bots, options=options, clock=clock, form=form
    )
    if fields := known_rules(ruleset).order_fields():
        orders = {field.name: ASK for field in fields if any(choice.value == ASK for choice in field.choices)}
        play.give_orders(game=game, seat=0, orders=orders)
    return game


@transaction.atomic
def first_game(*, user: User, ruleset: str, form: str = "") -> Game:
    """Start the game that follows a lesson: against the easiest bot, without a bid. Raises `GameError`.

    `form` as in `open_table`.
    """
    rules = known_rules(ruleset)
    options = next((dict(preset.options) for preset in rules.presets if preset.is_for_first), {})
    game = play_now(user=user, ruleset=ruleset, bots=(EASIEST,), options=options, form=form)
    # Nobody bids, and the user goes first, even if the die lets the bot choose
    for action in ("bid 0", "first 0"):
        game.refresh_from_db()
        state = position.current(game, list(Seat.objects.filter(game=game).order_by("number")), None)
        for number in rules.to_act(state):
            if action in map(rules.text, rules.legal(state, number)):
                play.submit_turn(game=game, seat=number, actions=[action], expected_seq=game.seq)
    return game


@transaction.atomic
def join_table(*, game: Game | str, user: User, invite: str = "") -> Game:
    """Take the first free seat; private tables need the invitation. Does nothing for a player who has a seat."""
    need_tables(user)
    game = lock_row(game)
    seats = list(Seat.objects.filter(game=game))
    if any(user.pk in (seat.user_id, seat.owner_id) for seat in seats):
        return game
    declined = Invitation.objects.filter(game=game, user=user, is_declined=True, was_removed=False)
    declined.delete()
    kept_seats = rematches.kept_seats(game)
    is_asked = user.pk in kept_seats.values()
    removed = rights.why_removed(game, user)
    is_known = game.listed or is_asked or removed or invite == game.invite_token
    if game.status == Status.CLOSED or game.duplicate_id or not is_known:
        raise NotFound
    if rights.is_shut_to(game, user):
        raise NotFound
    if removed:
        raise NotYours(removed)
    if not game.is_open or len(seats) >= game.players:
        raise TableError(str(ALL_TAKEN))
    if invite != game.invite_token and not is_asked and rights.keeps_guests_out(game, user):
        raise NotYours(str(rights.GUESTS_BY_LINK))
    if game.rematch_of_id and not is_asked and invite != game.invite_token:
        raise TableError(
            gettext("This is a rematch for the players of the last game. Ask one of them for the invitation link.")
        )
    need_place(game, user)
    need_reliable(game, user)
    if not is_asked:  # players of the last game may play on, wherever their ratings are by now
        need_rating(game, user)
    # Players of the last game get the seat kept for them; others, if possible, one that is kept for nobody.
    free = set(range(game.players)) - {seat.number for seat in seats}
    own_numbers = {number for number, player in kept_seats.items() if player == user.pk}
    number = min(free & own_numbers or free - set(kept_seats) or free)
    seat = Seat.objects.create(game=game, number=number, user=user, owner=user, name=user.username)
    notify.withdraw_rematch_requests(game, [user.pk] if is_asked else [])
    notify.withdraw_invitations(game, user)
    refresh_pages(game)
    begin_when_full(game, starter=seat, now=timezone.now())
    if is_asked and game.is_open:
        notify.tell_answer(game=game, user=user, has_joined=True)
    return game


@transaction.atomic
def rematch(*, game: Game, user: User) -> Game:
    """Seat a player of a finished game, or of a full game, at the table of its rematch, and return that table.

    The first player to press opens it with the same terms and bots, and everyone else is asked. The others join it.
    Outside bots are not seated again, because their owners may not want that. Seats move one place forward, so that the
    next player has the first one. Raises `GameError`.
    """
    need_tables(user)
    # 1. Lock the finished game, the last of a full game, so that two who press at the same time get one table
    played = lock_row(rematches.last_of(game))
    before = list(Seat.objects.filter(game=played).select_related("owner").order_by("number"))
    if not any(seat.owner_id == user.pk for seat in before):
        raise NotYours(gettext("Only players of this game can ask for a rematch."))
    if not played.is_finished or played.lesson or (played.full_game and played.full_game.status != FullStatus.FINISHED):
        raise TableError(gettext("You can ask for a rematch when the game is over and has a result."))
    # 2. Join the rematch that someone else has asked for
    existing = rematches.rematch_of(played)
    if existing is not None and existing.is_open and existing.opener is None:
        close(lock_row(existing))  # the account that asked was deleted
    elif existing is not None and rights.is_shut_to(existing, user):
        raise TableError(str(ALL_TAKEN))  # as if it had started without them
    elif existing is not None:
        return join_table(game=existing, user=user)
    # 3. Check what opening a table checks. A player who has blocked the one who asks is not asked, but seems to be
    others = [seat.owner for seat in before if seat.owner and seat.owner != user and not seat.owner.is_bot]
    blockers = set(Block.objects.filter(user__in=others, blocked=user).values_list("user", flat=True))
    if Block.objects.filter(user=user, blocked__in=others).exists():
        raise NotYours(
            gettext("You have blocked one of these players, so there is no rematch. Open a new table instead.")
        )
    check_not_too_many(user)
    terms, rules, now = (played.full_game or played).terms, known_rules(played.ruleset), timezone.now()
    terms["options"] = start.options_of_new(rules, terms["options"])
    check_table(rules, played.players, (), terms["options"])
    # 4. Open the table, seat the player and the bots, and ask the others
    contest = FullGame.objects.create(**terms, opened_at=now) if played.full_game else None
    table = new_game(
        **terms, rules_version=rules.version, opener=user, full_game=contest, rematch_of=played, opened_at=now
    )
    for seat in before:
        number = rematches.moved_on(seat.number, played.players)
        if seat.owner == user:
            orders = {} if others else seat.orders  # against bots, as in `play_now`
            starter = Seat.objects.create(
                game=table, number=number, user=user, owner=user, name=user.username, orders=orders
            )
        elif seat.own_bot in BOTS:
            Seat.objects.create(game=table, number=number, bot=seat.bot, name=seat.name)
    notify.ask_for_rematch(game=table, by=user, players=[player for player in others if player.pk not in blockers])
    begin_when_full(table, starter=starter, now=now)
    refresh_result_page(table)
    return table


@transaction.atomic
def decline_rematch(*, game: Game, user: User) -> Game:
    """Decline the rematch of a finished game, which frees the seat kept for the user, and notify who asked.

    They can still join while a seat is free. Returns the table. Raises `GameError`.
    """
    last = rematches.last_of(game)
    if not Seat.objects.filter(game=last, owner=user).exists():
        raise NotYours(gettext("Only players of the last game can decline its rematch."))
    existing = rematches.rematch_of(last)
    if existing is None:
        raise TableError(gettext("This rematch is no longer being offered, so there is nothing to decline."))
    table = lock_row(existing)
    need_open(table)
    if Seat.objects.filter(game=table, owner=user).exists():
        raise TableError(gettext("You have joined the rematch. To leave it, go to its table."))
    answer = {"is_declined": True, "by": user, "at": timezone.now()}
    Invitation.objects.update_or_create(game=table, user=user, defaults=answer)
    notify.withdraw_rematch_requests(table, [user.pk])
    notify.tell_answer(game=table, user=user, has_joined=False)
    refresh_pages(table)
    return table


@transaction.atomic
def leave_table(*, game: Game | str, user: User) -> Game:
    """Leave a table that has not started. Leaving again has no effect. The opener must close it instead."""
    game = lock_row(game)
    own_seat = Seat.objects.filter(game=game, user=user)
    if not own_seat.exists():
        return game
    need_open(game)
    if game.opener_id == user.pk:
        raise TableError(gettext("You opened this table, so you can’t leave it. Close it instead."))
    own_seat.delete()
    refresh_pages(game)
    return game


@transaction.atomic
def remove(*, game: Game | str, user: User, seat: int) -> str:
    """Free a seat of a bot or a person at the user's table, and return their name; empty if it was freed before.

    `seat` is the primary key, so that a player who has taken the seat since then stays. A person is notified, and can
    join again only if the host invites them. `rights.may_remove` says who can be removed. Raises `GameError`.
    """
    game, now = lock_row(game), timezone.now()
    if game.opener_id != user.pk:
        raise NotYours(gettext("Only the player who opened this table can remove others."))
    need_open(game)
    seat_row = Seat.objects.filter(game=game, pk=seat).select_related("user").first()
    if seat_row is None:
        return ""
    if seat_row.user_id == user.pk:
        raise TableError(gettext("You opened this table, so you can’t leave it. Close it instead."))
    if seat_row.user is not None:
        if not (seat_row.user.is_bot or rights.may_remove(game, seat_row, now)):
            raise TableError(str(TAKES_TIME))
        remember_removal(game=game, user=seat_row.user, by=user, now=now)
        if not seat_row.user.is_bot:
            notify.tell_removed(game=game, seat=seat_row, by=user)
    seat_row.delete()
    refresh_pages(game)
    return seat_row.name


def remember_removal(*, game: Game, user: User, by: User, now: datetime) -> None:
    """Record that the host has removed a person or an outside bot, who returns only if the host says so."""
    removal = {"by": by, "at": now, "is_declined": True, "was_removed": True}
    Invitation.objects.update_or_create(game=game, user=user, defaults=removal)


@transaction.atomic
def renew_link(*, game: Game | str, user: User) -> Game:
    """Replace the invitation link of the user's open table, so that the old one no longer works. Raises `GameError`."""
    game = lock_row(game)
    if game.opener_id != user.pk:
        raise NotYours(gettext("Only the player who opened this table can create a new link."))
    need_open(game)
    game.invite_token = new_token()
    game.save(update_fields=["invite_token"])
    refresh_pages(game)
    return game


@transaction.atomic
def seat_bot(*, game: Game | str, user: User, bot: str, number: int | None = None) -> Game:
    """Give the last free seat to a bot, as the opener of the table. The game starts if no other seat is free.

    `number` is the seat that the page showed as the last free one: if this bot has it, the form was sent twice.
    """
    game = lock_row(game)
    if game.opener_id != user.pk:
        raise NotYours(gettext("Only the player who opened this table can add bots."))
    seats = list(Seat.objects.filter(game=game))
    if number is not None and any((seat.number, seat.bot) == (number, bot) for seat in seats):
        return game
    need_open(game)
    if bot not in BOTS:
        raise TableError(gettext("We don’t have this bot. Choose another."))
    taken, names = {seat.name for seat in seats}, [str(BOTS[bot].name)] * (game.players + 1)
    name = next(name for name in (_numbered(names, n) for n in range(len(names))) if name not in taken)
    free = max(set(range(game.players)) - {seat.number for seat in seats})
    Seat.objects.create(game=game, number=free, bot=bot, name=name)
    refresh_pages(game)
    begin_when_full(game, starter=rights.seat_of(user, seats), now=timezone.now())
    return game


@transaction.atomic
def close_table(*, game: Game | str, user: User) -> Game:
    """Close a table that has not started, and notify its other players. Closing it again has no effect."""
    game = lock_row(game)
    if game.opener_id != user.pk:
        raise NotYours(gettext("Only the player who opened this table can close it."))
    if game.status == Status.CLOSED:
        return game
    need_open(game)
    close(game, exclude=user)
    return game


def close_stale_tables(now: datetime) -> int:
    """Close open tables that have not filled in time, except those of duplicates. Return how many."""
    stale = Game.objects.filter(status=Status.OPEN, duplicate=None, opened_at__lt=now - STALE_AFTER).values_list(
        "pk", flat=True
    )
    return sum(_close_stale(pk) for pk in list(stale))


@transaction.atomic
def _close_stale(pk: int) -> bool:
    game = Game.objects.select_for_update(skip_locked=True).filter(pk=pk, status=Status.OPEN).first()
    if game is not None:
        close(game)
    return game is not None


def close(game: Game, exclude: User | None = None) -> None:
    """Close an open table, whose row is locked, and notify its players except `exclude`."""
    game.status = Status.CLOSED
    game.version += 1
    game.save(update_fields=["status", "version"])
    refresh_result_page(game)
    FullGame.objects.filter(games=game).update(status=FullStatus.CLOSED)
    notify.withdraw_rematch_requests(game, rematches.players_before(game).values())
    notify.withdraw_invitations(game)
    seats = Seat.objects.filter(game=game).select_related("user")
    notify.tell_closed(seat for seat in seats if not exclude or seat.user_id != exclude.pk)


def begin_when_full(game: Game, *, starter: Seat | None, now: datetime) -> None:
    """Start the game if no seat is free. `starter` took the last seat or filled it with a bot."""
    if Seat.objects.filter(game=game).count() == game.players:
        FullGame.objects.filter(games=game).update(status=FullStatus.RUNNING)
        notify.withdraw_rematch_requests(game, rematches.players_before(game).values())
        notify.withdraw_invitations(game)
        start.begin(game=game, now=now, starter=starter)


def seat_bots(game: Game, bots: Sequence[str]) -> None:
    """Put the bots into the last seats, with unique names."""
    names = [str(BOTS[slug].name) for slug in bots]
    Seat.objects.bulk_create(
        Seat(game=game, number=game.players - len(bots) + n, bot=slug, name=_numbered(names, n))
        for n, slug in enumerate(bots)
    )


def _numbered(names: Sequence[str], n: int) -> str:
    """Return the name, numbered from its second use: Medium, Medium 2."""
    uses = names[: n + 1].count(names[n])
    return names[n] if uses == 1 else f"{names[n]} {uses}"


def refresh_pages(game: Game) -> None:
    """Tell open pages of the table to refresh, and those of the game that it is a rematch of."""
    commit.refresh_pages(game)
    refresh_result_page(game)


def refresh_result_page(game: Game) -> None:
    """Tell open pages of the result that this rematch, if it is one, has changed.

    A row that is locked is skipped: asking for a rematch locks it before this table, and shows the change too.
    """
    if game.rematch_of_id:
        before = Q(pk=game.rematch_of_id) | Q(full_game__games=game.rematch_of_id, full_game__isnull=False)
        free = Game.objects.select_for_update(skip_locked=True).filter(pk__in=Game.objects.filter(before).values("pk"))
        Game.objects.filter(pk__in=list(free.values_list("pk", flat=True))).update(version=F("version") + 1)


def need_rating(game: Game, user: User) -> None:
    """Refuse a player whose rating in this game is not in the range that the table asks for."""
    if not game.rating_from and not game.rating_to:
        return
    rating = next((answer(user, game.ruleset) for answer in hooks.rating_of), None)
    if rating is None:
        raise TableError(
            gettext("This table requires a rating, and you don’t have one for this game yet. Choose another table.")
        )
    if rating < game.rating_from:
        sentence = gettext("This table requires a rating of %(wanted)d or more. Yours is %(mine)d.")
        raise TableError(sentence % {"wanted": game.rating_from, "mine": rating})
    if game.rating_to and rating > game.rating_to:
        sentence = gettext("This table requires a rating of %(wanted)d or less. Yours is %(mine)d.")
        raise TableError(sentence % {"wanted": game.rating_to, "mine": rating})


def need_open(game: Game) -> None:
    if game.status == Status.CLOSED:
        raise TableError(gettext("This table is closed. Choose another one or open your own."))
    if not game.is_open:
        raise TableError(gettext("The game has already started."))


def known_rules(slug: str) -> Ruleset:
    if slug not in RULESETS:
        raise TableError(gettext("We don’t have this game. Choose another."))
    return RULESETS[slug]


def check_clocks(clock: str, reply_hours: int, time_out: str) -> None:
    """Raise `TableError` or `Illegal` unless the clock, the time to respond and the time-out setting are valid."""
    try:
        parse(clock)
    except IllegalClock as refusal:
        raise Illegal(refusal) from None
    if not SHORTEST_CLOCK <= reply_hours <= LONGEST_CLOCK:
        raise TableError(gettext("Choose a time to respond between 1 hour and 30 days."))
    if time_out not in TimeOut.values:
        raise TableError(gettext("Choose what happens when a player runs out of time."))


def check_table(rules: Ruleset, players: int, bots: Sequence[str], options: Mapping[str, Any]) -> None:
    start.options_of(rules, options, players)
    if len(bots) >= players:
        raise TableError(gettext("Too many bots. Leave one seat for yourself."))
    if any(slug not in BOTS for slug in bots):
        raise TableError(gettext("We don’t have this bot. Choose another."))


def need_few_public(user: User) -> None:
    """Raise `TooOften` if a new account has opened as many public tables in a day as it may."""
    opened = Game.objects.filter(opener=user, listed=True)
    refusal = ngettext_lazy(
        "New accounts can open %(n)d public table a day. Open a private one, or wait until tomorrow.",
        "New accounts can open %(n)d public tables a day. Open a private one, or wait until tomorrow.",
        "n",
    )
    newcomers.need_few(user, opened, "opened_at", settings.NEW_ACCOUNT_TABLES, refusal)


def check_not_too_many(user: User) -> None:
    if Game.objects.filter(opener=user, status=Status.OPEN).count() >= MOST_OPEN:
        raise TableError(gettext("You have too many open tables. Close one of them first."))
