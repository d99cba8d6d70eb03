"""Outside bots: accounts that programs play for. Each has an owner, and a token that only its owner has seen.

Their names end in “Bot”, a word that no person's name may contain, so that everyone sees what they are wherever a name
is shown. Nobody can sign in to such an account: it has no email address and no password.
"""

import hashlib
import secrets
from datetime import timedelta

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.http import AGAIN
from accounts.models import BotAccount, User
from accounts.names import LONGEST_NAME, TAKEN, normal

MOST_BOTS = 5  # of one person
SUFFIX = " Bot"
LONGEST_BOT_NAME = LONGEST_NAME - len(SUFFIX)
MARK = "ebot_"  # begins every token, so that scanners for leaked secrets can find them
LONGEST_TOKEN = 100
NOTED_EVERY = timedelta(minutes=1)


@transaction.atomic
def create_bot(*, owner: User, name: str) -> tuple[BotAccount, str]:
    """Create a bot, whose name gets the suffix, and return it with its first token. Raises `ValidationError`.

    If it was created a moment ago, the form was sent twice: the token that is shown replaces the one that was not.
    """
    owner = User.objects.select_for_update(no_key=True).get(pk=owner.pk)  # serializes requests from two tabs
    if owner.is_guest or owner.is_bot or not owner.has_confirmed_address:
        raise ValidationError(_("Only players with a confirmed email address can have bots. Confirm yours first."))
    name = f"{normal(name)}{SUFFIX}"
    new = owner.bot_accounts.filter(token_made_at__gt=timezone.now() - AGAIN, token_used_at=None)
    if before := new.filter(user__username=name, user__date_joined__gt=timezone.now() - AGAIN).first():
        return before, make_token(before)
    if owner.bot_accounts.count() >= MOST_BOTS:
        raise ValidationError(_("You already have %(n)d bots. Delete one first.") % {"n": MOST_BOTS})
    user = User(username=name, is_bot=True, time_zone="UTC")
    if User.is_name_taken(user.username):
        raise ValidationError(TAKEN)
    user.set_unusable_password()
    try:
        with transaction.atomic():
            user.save(force_insert=True)
    except IntegrityError:
        raise ValidationError(TAKEN) from None
    bot = BotAccount.objects.create(user=user, owner=owner)
    return bot, make_token(bot)


def make_token(bot: BotAccount) -> str:
    """Return a new token, which replaces the last one. It cannot be shown again."""
    token = MARK + secrets.token_urlsafe(32)
    new = {"digest": digest(token), "token_made_at": timezone.now(), "token_used_at": None}
    BotAccount.objects.filter(pk=bot.pk).update(**new)
    bot.refresh_from_db()
    return token


def revoke_token(bot: BotAccount) -> None:
    """Remove the token: from now on no request with it is answered."""
    BotAccount.objects.filter(pk=bot.pk).update(digest=None, token_made_at=None, token_used_at=None)


def by_token(token: str) -> BotAccount | None:
    """Return the bot with this token, unless it or its owner was stopped, and note that it was used.

    The token is random and long, so its hash needs no salt, and the index reveals nothing by its timing.
    """
    if not token.startswith(MARK) or len(token) > LONGEST_TOKEN:
        return None
    bot = BotAccount.objects.select_related("user", "owner").filter(digest=digest(token)).first()
    if bot is None or bot.owner.is_suspended or not (bot.user.is_active and bot.owner.is_active):
        return None
    now = timezone.now()
    if bot.token_used_at is None or not timedelta() <= now - bot.token_used_at < NOTED_EVERY:
        BotAccount.objects.filter(pk=bot.pk, digest=bot.digest).update(token_used_at=now)
    return bot


def digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def owners(people: set[int]) -> dict[int, int]:
    """Return the owners of those of the accounts that are bots, both as ids."""
    return dict(BotAccount.objects.filter(pk__in=people).values_list("pk", "owner"))
