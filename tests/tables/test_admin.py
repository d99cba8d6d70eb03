"""Admin pages: they never show a seed or a draft, and games can't be changed there."""

import re

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.admin import site
from django.contrib.auth.models import Group, Permission
from django.test import Client, RequestFactory
from django.urls import reverse

from accounts.models import User
from accounts.moderation import roles
from games.contests.teams import services as teams
from games.notices.models import Notice
from games.tables.models import Draft, Entry, FullGame, Game, Handover, Seat, Seed, Snapshot, Vacation
from games.tables.services import friends, lobby, play
from tests.cast import born, in_turns, submit, table_of
from tests.contests import team_leagues
from tests.contests.cups import cup
from tests.contests.ladders import ladder_of
from tests.contests.leagues import league_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def chief(db) -> Client:
    client = Client()
    client.force_login(
        User.objects.create_superuser("Chief", "chief@example.org", "x"), "django.contrib.auth.backends.ModelBackend"
    )
    return client


def test_seeds_drafts_and_snapshots_have_no_page():
    registered = set(site._registry)
    assert not registered & {Seed, Draft, Snapshot, Seat}
    assert registered >= {Game, Entry, FullGame, Notice}


def test_no_page_shows_the_seed_the_ages_or_who_has_bid(chief, alice, bob):
    game = table_of(alice, bob)
    before = page(chief, game)
    submit(game, 1, "bid 3")
    play.lay_out(game=game, who=0, actions=["bid 7"], expected_seq=0)
    assert page(chief, game) == before
    assert bytes(game.seed.secret).hex() not in before
    assert "Born" not in before and "Deadline" not in before and game.invite_token not in before


def test_lists_are_filtered_only_by_what_their_pages_offer(chief, alice, bob):
    born(alice, 1990)
    in_turns(alice, bob)
    for address in ("tables/entry/?events__icontains=card", "accounts/user/?birth_date__lt=1995-01-01"):
        assert chief.get(f"/admin/{address}").status_code == 400, address
    for model, shown in site._registry.items():
        if model is not Group:  # only superusers have a list of groups
            hidden = {field.name for field in model._meta.concrete_fields} - set(shown.list_filter)
            assert not [name for name in hidden if shown.lookup_allowed(f"{name}__gte", "", RequestFactory().get("/"))]
    for address in ("tables/game/?status__exact=running", "contests/score/?watch=short", "accounts/user/?is_bot=0"):
        assert chief.get(f"/admin/{address}").status_code == 200, address


def test_no_page_shows_an_invitation_link(chief, alice, bob):
    table, cup_of, league = lobby.open_table(user=alice, players=2), cup(alice), league_of(alice, organizer=bob)
    friends.invite(game=table, user=alice, name="Bob")
    team = teams.create(tournament=team_leagues.league(bob), user=alice, name="Foxes")
    tokens = [row.invite_token for row in (table, cup_of, league, team)]
    assert any(table.invite_token in notice.url for notice in Notice.objects.all())
    for model in site._registry:
        for row in model._base_manager.all():
            meta = model._meta
            shown = chief.get(reverse(f"admin:{meta.app_label}_{meta.model_name}_change", args=[row.pk]))
            assert not [token for token in tokens if token in shown.content.decode()], (model, row)


def page(chief: Client, game: Game) -> str:
    """Return the page of the game without the form's token, which differs each time."""
    html = chief.get(reverse("admin:tables_game_change", args=[game.pk])).content.decode()
    return re.sub('name="csrfmiddlewaretoken" value="[^"]*"', "", html)


def test_staff_can_neither_read_nor_change_the_secret_of_a_second_factor(chief, alice):
    own = Authenticator.objects.create(user=alice, type=Authenticator.Type.TOTP, data={"secret": "hunter2"})
    path = f"/admin/mfa/authenticator/{own.pk}/change/"
    assert "hunter2" not in chief.get(path).content.decode()
    assert chief.post(path, {"user": alice.pk, "type": "totp", "data": "0"}).status_code == 403
    assert chief.get("/admin/mfa/authenticator/add/").status_code == 403
    chief.post(f"/admin/mfa/authenticator/{own.pk}/delete/", {"post": "yes"})
    assert not Authenticator.objects.exists()


@pytest.fixture
def helper(db) -> Client:
    """Someone on the staff who may change and delete accounts, and remove second factors."""
    user = User.objects.create_user("Helper", "helper@example.org", "x", is_staff=True)
    models = ["user", "authenticator"]
    user.user_permissions.set(Permission.objects.filter(content_type__model__in=models))
    client = Client()
    client.force_login(user, "django.contrib.auth.backends.ModelBackend")
    return client


def test_a_right_to_help_players_gives_no_other_rights(helper, alice):
    address = reverse("admin:accounts_user_change", args=[alice.pk])
    form = helper.get(address).context["adminform"].form
    assert not {"is_staff", "is_superuser", "groups", "user_permissions"} & set(form.fields)
    wanted = {"username": "Alice", "email": "a@example.org", "date_joined_0": "2026-01-01", "date_joined_1": "12:00",
              "is_active": "on", "is_staff": "on", "is_superuser": "on",
              "user_permissions": Permission.objects.all()[0].pk}  # fmt: skip
    assert helper.post(address, wanted).status_code == 302
    alice.refresh_from_db()
    assert alice.email == "a@example.org" and not (alice.is_staff or alice.is_superuser)
    assert not alice.user_permissions.exists()


@pytest.mark.parametrize("whose", ["Chief", "Helper", "Judge"])
def test_only_superusers_change_the_accounts_of_staff_and_moderators(chief, helper, whose):
    roles.appoint(User.objects.create_user("Judge", "judge@example.org", "x"), roles.MODERATORS)
    account = User.objects.get(username=whose)
    own = Authenticator.objects.create(user=account, type=Authenticator.Type.TOTP, data={"secret": "hunter2"})
    pages = [
        reverse(f"admin:{page}", args=[account.pk]) for page in ("accounts_user_change", "auth_user_password_change")
    ]
    pages += [reverse("admin:accounts_user_delete", args=[account.pk])]
    pages += [reverse("admin:mfa_authenticator_delete", args=[own.pk])]
    for page in pages:
        assert chief.get(page).status_code == 200
        assert helper.get(page).status_code in (302, 404), page  # the admin says that there is no such row
        new = {"password1": "another harbour", "password2": "another harbour", "email": "h@example.org", "post": "yes"}
        helper.post(page, {**new, "username": whose})
    for model, row in (("accounts_user", account), ("mfa_authenticator", own)):
        form = {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"}
        helper.post(reverse(f"admin:{model}_changelist"), form)
    now = User.objects.get(pk=account.pk)
    assert (now.password, now.email) == (account.password, account.email)
    assert Authenticator.objects.filter(pk=own.pk).exists()


@pytest.mark.parametrize("model", ["account/emailaddress", "usersessions/usersession"])
def test_nobody_confirms_addresses_or_reads_keys_of_sessions_in_the_admin(chief, model):
    assert chief.get(f"/admin/{model}/").status_code == chief.get(f"/admin/{model}/add/").status_code == 404


def test_only_superusers_change_groups(chief, helper):
    helpers = Group.objects.create(name="Helpers")
    account = User.objects.get(username="Helper")
    account.groups.add(helpers)
    account.user_permissions.set(Permission.objects.all())
    for page in ("", "add/", f"{helpers.pk}/change/", f"{helpers.pk}/delete/"):
        assert chief.get(f"/admin/auth/group/{page}").status_code == 200
        assert helper.get(f"/admin/auth/group/{page}").status_code == 403
    assert "Groups" in chief.get("/admin/").content.decode()
    assert "/admin/auth/group/" not in helper.get("/admin/").content.decode()


def test_a_number_too_large_for_the_database_is_refused(chief):
    answer = chief.post("/admin/auth/group/add/", {"name": "x", "permissions": str(2**63)})
    # PostgreSQL compares it with the ids of permissions, and the form refuses it
    assert answer.status_code == 400 or "errorlist" in answer.content.decode()
    assert not Group.objects.exists()


def test_every_list_opens(chief, alice, bob):
    in_turns(alice, bob)
    for model in (Game, Entry, FullGame, Notice, Handover, Vacation):
        assert (
            chief.get(reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")).status_code == 200
        )


def test_only_the_settings_of_a_ladder_can_be_changed(chief, alice, bob):
    ladder = ladder_of(alice, bob)
    address = reverse("admin:contests_ladder_change", args=[ladder.pk])
    wanted = {"clock": "move 1d", "reach": 3, "top": 10, "top_reach": 5, "given": 2, "taken": 1, "answer": 7,
              "again": 14, "idle": 60, "fall": 10, "length": 99}  # fmt: skip
    assert "isn’t a valid clock" in chief.post(address, {**wanted, "clock": "soon"}).content.decode()
    assert chief.post(address, wanted).status_code == 302
    ladder.refresh_from_db()
    assert (ladder.clock, ladder.reach, ladder.answer, ladder.length, ladder.full) == ("move 1d", 3, 7, 2, False)
    assert chief.get(reverse("admin:contests_challenge_changelist")).status_code == 200


def test_nothing_can_be_added_changed_or_deleted(chief, alice, bob):
    game = in_turns(alice, bob)
    assert chief.get(reverse("admin:tables_game_add")).status_code == 403
    assert chief.post(reverse("admin:tables_game_change", args=[game.pk]), {"status": "closed"}).status_code == 403
    assert chief.post(reverse("admin:tables_game_delete", args=[game.pk]), {"post": "yes"}).status_code == 403
    assert Game.objects.get(pk=game.pk).is_running
