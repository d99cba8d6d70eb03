"""All settings. Every option is an environment variable with a working default.

If none of the variables in `SERVER` is set, this is a personal machine: DEBUG is on, the secret key is generated once,
state is under var/, and emails are files shown at /mail/. If any is set, this is a server with strict settings.
"""

from email.utils import formataddr, parseaddr
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from kombu import Exchange, Queue

from empire import catalogs, environment, private

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = environment.folder("VAR_DIR", BASE_DIR / "var")

# Site

SERVER = ("SECRET_KEY", "ALLOWED_HOSTS", "DATABASE_URL", "REDIS_URL")
DEBUG = environment.flag("DEBUG", default=not environment.is_set(*SERVER))

ALLOWED_HOSTS = environment.hosts("ALLOWED_HOSTS", ("localhost", "127.0.0.1", "[::1]") if DEBUG else ())
if not ALLOWED_HOSTS:
    raise ImproperlyConfigured("The setting ALLOWED_HOSTS is missing: list the host names of this server.")

SECRET_KEY = environment.secret("SECRET_KEY") or (environment.kept_secret(VAR_DIR / "secret_key") if DEBUG else "")
if not SECRET_KEY:
    raise ImproperlyConfigured("The setting SECRET_KEY is missing: a server needs its own long random string.")

SITE_NAME = environment.text("SITE_NAME", "Eight Minutes")
SITE_URL = environment.web_address(
    "SITE_URL", "http://localhost:8000" if DEBUG else f"https://{ALLOWED_HOSTS[0].lstrip('.*') or 'localhost'}"
)

# Application

ROOT_URLCONF = "empire.urls"
ASGI_APPLICATION = "empire.asgi.application"
AUTH_USER_MODEL = "accounts.User"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "csp",
    "django_htmx",
    "template_partials",
    "empire",
    "accounts",
    "games.tables",
    "games.contests",
    "games.notices",
    "games.staff",
]

MIDDLEWARE = [
    "empire.memory.in_one_chunk",
    "empire.web.middleware.RequestNumber",
    "empire.web.middleware.count_requests",
    "csp.middleware.CSPMiddleware",  # these are outermost, so that every response has their headers
    "empire.web.middleware.permissions_policy",
    "accounts.middleware.never_cache_account_pages",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "empire.web.languages.of_browser",
    "empire.web.middleware.json_for_programs",
    "empire.web.unavailable.temporary_faults",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "empire.web.middleware.Compression",
    "empire.web.static_files.joined_stylesheets",
    "empire.web.middleware.ValidText",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "empire.web.unavailable.too_many",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.middleware.GuestSignIn",
    "accounts.middleware.local_language",
    "accounts.middleware.local_time",
    "allauth.usersessions.middleware.UserSessionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "accounts.middleware.GuestRestrictions",
    "accounts.middleware.whole_sign_in_page",
    "accounts.middleware.back_to_the_form",
    "accounts.middleware.RecentSignIn",
    "accounts.middleware.AccountRestrictions",
    "accounts.middleware.DeletedMeanwhile",
    "empire.web.middleware.NotFoundPage",
    "accounts.middleware.TooManyAttempts",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": ["empire.templatetags.translated"],
            "context_processors": [
                "django.template.context_processors.debug",
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "empire.web.views.site",
                "games.home.views.waiting",
            ],
        },
    },
]

# Storage

DATABASES = {"default": environment.database("DATABASE_URL", f"sqlite:///{VAR_DIR / 'db.sqlite3'}")}
DATABASE_POOL = environment.number("DATABASE_POOL", 20, least=2, most=1000)
PREPARED_STATEMENTS = environment.flag("PREPARED_STATEMENTS", default=True)
TRANSACTION_POOLING = environment.flag("TRANSACTION_POOLING", default=False)
DATABASE_PASSWORD = environment.text("DATABASE_PASSWORD")
if DATABASE_PASSWORD:
    DATABASES["default"]["PASSWORD"] = DATABASE_PASSWORD
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    private.close_database(Path(DATABASES["default"]["NAME"]))
    DATABASES["default"]["OPTIONS"] = {
        "timeout": 20,
        "transaction_mode": "IMMEDIATE",  # with the default, most of eight concurrent writers fail with "locked"
        # No mmap_size: with it, two threads fail with "disk I/O error" once another process has deleted the WAL
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;"
        " PRAGMA journal_size_limit=27103364;",
    }
    # Threads keep connections: opening one runs these statements, and closing the last one deletes the WAL
    DATABASES["default"]["CONN_MAX_AGE"] = None
    DATABASES["default"]["TEST"] = {"NAME": VAR_DIR / "test.sqlite3"}  # a file, so that tests with threads can race
else:
    # Threads share connections, so that there are no more than concurrent work. A short reconnect_timeout finds a
    # returning database at once, not after the minutes that the pool would wait between attempts
    pool = {"min_size": 1, "max_size": DATABASE_POOL, "timeout": 5, "reconnect_timeout": 3}
    DATABASES["default"].setdefault("OPTIONS", {})["pool"] = pool
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
    # Outside transactions, each fetch from a server-side cursor may reach a connection that doesn't have the cursor
    DATABASES["default"]["DISABLE_SERVER_SIDE_CURSORS"] = TRANSACTION_POOLING
    # Prepared statements take half of PostgreSQL's work off it. It can only prepare those whose values it binds itself
    if PREPARED_STATEMENTS:
        DATABASES["default"]["OPTIONS"] |= {"server_side_binding": True, "prepare_threshold": 5}

REDIS_URL = environment.queue("REDIS_URL")
REDIS_TIMEOUTS: dict[str, Any] = {"socket_connect_timeout": 1, "socket_timeout": 1}  # of the cache and rate limits
CACHES = {
    # Apart from the counts of rate limits, which pages of many finished games would push out of a small cache
    "results": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "results"},
    # Answers of about 30 KB that spectators of a game share for some seconds
    "spectators": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "spectators",
        "TIMEOUT": 5,
        "OPTIONS": {"MAX_ENTRIES": 200},
    },
    "default": {
        "BACKEND": "empire.cache.ForgivingRedisCache",
        "LOCATION": REDIS_URL,
        "OPTIONS": REDIS_TIMEOUTS,
    }
    if REDIS_URL
    # Many entries, so that requests from a few addresses do not push out the counts of allauth's rate limits
    else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": {"MAX_ENTRIES": 10_000}},
}

STATIC_URL = "static/"
STATIC_ROOT = environment.place("STATIC_ROOT", BASE_DIR / "staticfiles")
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "empire.web.static_files.KnownStaticFiles"
    },
}
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = DEBUG

# The queue only starts work sooner: all work is in database rows, and sweeps find what a lost message left undone

QUEUE_DIR = VAR_DIR / "queue"
CELERY_BROKER_URL = REDIS_URL or "filesystem://localhost"
if REDIS_URL:
    CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {
        "max_retries": 0,  # a dead Redis is noticed at once and delays nobody
        "socket_connect_timeout": 3,  # limits the wait for a frozen or unreachable Redis
        "socket_timeout": 3,
    }
else:
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(QUEUE_DIR / "messages"),
        "data_folder_out": str(QUEUE_DIR / "messages"),
        "control_folder": str(QUEUE_DIR / "control"),
        "polling_interval": 0.05,
    }
    for folder in (".", "messages", "control"):
        private.make_folder(QUEUE_DIR / folder)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # workers and beat wait for the queue indefinitely
CELERY_WORKER_POOL = "threads"
CELERY_WORKER_CONCURRENCY = 4
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"

# Queues by task, so that bots do not delay emails. A worker serves all of them, or some with -Q

QUEUES = {
    "notices": [
        "games.tasks.post_to_webhook",
        "games.tasks.send_due",
        "games.tasks.send_notice",
        "games.tasks.correct_notice_times",
        "games.tasks.sweep_channel",
        "games.tasks.sweep_notices",
        "games.tasks.sweep_webhooks",
    ],
    "clocks": [
        "games.tasks.finish_long_game",
        "games.tasks.look_at_pool",
        "games.tasks.look_at_tournament",
        "games.tasks.settle_challenge",
        "games.tasks.settle_match",
        "games.tasks.sweep_full_games",
        "games.tasks.sweep_handovers",
        "games.tasks.sweep_ladders",
        "games.tasks.sweep_overdue",
        "games.tasks.sweep_pools",
        "games.tasks.sweep_duplicates",
        "games.tasks.sweep_seasons",
        "games.tasks.sweep_seeks",
        "games.tasks.sweep_tournaments",
    ],
    "bots": [
        "games.tasks.play_bot",
        "games.tasks.sweep_bots",
    ],
    "thinking": [  # bots that search for up to a second
        "games.tasks.play_thinker",
        "games.tasks.sweep_thinkers",
    ],
    "luck": [  # of every finished game, and archives for people: seconds each, which must not wait for reviews
        "accounts.tasks.make_export",
        "accounts.tasks.sweep_exports",
        "games.tasks.measure_luck",
        "games.tasks.sweep_luck",
    ],
    "reviews": [
        "games.tasks.review_game",
        "games.tasks.sweep_reviews",
    ],
    "default": [
        "accounts.tasks.sweep_personal_data",
        "empire.tasks.hear",
        "empire.tasks.heartbeat",
        "games.tasks.book_scores",
        "games.tasks.close_stale_tables",
        "games.tasks.collect_statistics",
        "games.tasks.sweep_lessons",
        "games.tasks.sweep_scores",
        "games.tasks.tell_news",
    ],
}
CELERY_TASK_QUEUES = [Queue(name, Exchange(name), routing_key=name) for name in QUEUES]
CELERY_TASK_DEFAULT_QUEUE = "default"
CELERY_TASK_CREATE_MISSING_QUEUES = False  # `-Q bot` is a typo, not another queue
CELERY_TASK_ROUTES = {task: {"queue": name} for name, tasks in QUEUES.items() for task in tasks}

CELERY_BEAT_SCHEDULER = "empire.schedule:Scheduler"
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "beat")
CELERY_BEAT_SCHEDULE = {
    "heartbeat": {"task": "empire.tasks.heartbeat", "schedule": 60},
    **{
        f"call at {name}": {"task": "empire.tasks.hear", "schedule": 60, "args": [name], "options": {"queue": name}}
        for name in QUEUES
    },
    "sweep overdue clocks": {"task": "games.tasks.sweep_overdue", "schedule": 20, "options": {"expires": 60}},
    "sweep hand-overs": {"task": "games.tasks.sweep_handovers", "schedule": 60},
    "sweep bots": {"task": "games.tasks.sweep_bots", "schedule": 60, "options": {"expires": 60}},
    "sweep bots that think": {"task": "games.tasks.sweep_thinkers", "schedule": 60, "options": {"expires": 60}},
    "sweep luck": {"task": "games.tasks.sweep_luck", "schedule": 60, "options": {"expires": 60}},
    "sweep reviews": {"task": "games.tasks.sweep_reviews", "schedule": 60, "options": {"expires": 60}},
    "sweep notices": {"task": "games.tasks.sweep_notices", "schedule": 60},
    "sweep webhooks": {"task": "games.tasks.sweep_webhooks", "schedule": 60},
    "correct notice times": {"task": "games.tasks.correct_notice_times", "schedule": 10 * 60},
    "sweep full games": {"task": "games.tasks.sweep_full_games", "schedule": 60},
    "sweep duplicates": {"task": "games.tasks.sweep_duplicates", "schedule": 60},
    "sweep scores": {"task": "games.tasks.sweep_scores", "schedule": 60},
    "sweep ladders": {"task": "games.tasks.sweep_ladders", "schedule": 60},
    "sweep pools": {"task": "games.tasks.sweep_pools", "schedule": 60},
    "sweep tournaments": {"task": "games.tasks.sweep_tournaments", "schedule": 60},
    "sweep seeks": {"task": "games.tasks.sweep_seeks", "schedule": 60},
    "sweep seasons": {"task": "games.tasks.sweep_seasons", "schedule": 60},
    "close stale tables": {"task": "games.tasks.close_stale_tables", "schedule": 60 * 60},
    "collect statistics": {"task": "games.tasks.collect_statistics", "schedule": 24 * 60 * 60},
    "sweep lessons": {"task": "games.tasks.sweep_lessons", "schedule": 24 * 60 * 60},
    "sweep exports": {"task": "accounts.tasks.sweep_exports", "schedule": 10 * 60, "options": {"expires": 600}},
    "sweep personal data": {"task": "accounts.tasks.sweep_personal_data", "schedule": 24 * 60 * 60},
}

# Checks of /healthz: functions that return a sentence if something is wrong, else None

HEALTH_CHECKS = [
    "empire.observability.health.database_answers",
    "empire.observability.health.beat_is_alive",
    "empire.observability.health.queues_are_worked",
    "empire.observability.health.database_is_up_to_date",
    "empire.observability.health.no_restore_is_under_way",
    "games.tables.selectors.health.notices_go_out",
    "games.tables.selectors.health.channels_answer",
    "games.tables.selectors.health.clocks_are_watched",
]

# Metrics, for requests with the token. METRICS_PORT is the port of workers, 0 for none

METRICS_TOKEN = environment.token("METRICS_TOKEN")
METRICS_PORT = environment.number("METRICS_PORT", 0, most=environment.HIGHEST_PORT)
if METRICS_PORT and not (METRICS_TOKEN or DEBUG):
    raise environment.bad("METRICS_PORT", str(METRICS_PORT), "it needs METRICS_TOKEN, or nobody could read the metrics")
METRICS = [
    "games.tables.selectors.health.games",
    "games.tables.selectors.health.clocks",
    "games.tables.selectors.health.notices",
]

# Functions of the live stream: the versions of games, who may listen to a private one, and what a player hears

LIVE_VERSIONS = "games.tables.selectors.live.versions"
LIVE_FOLLOWERS = "games.tables.selectors.live.followers"
LIVE_ROOMS = "games.tables.selectors.live.rooms"

# The function that registers the families of games at start-up

GAME_FAMILIES = "games.families.register"

# Paths that a busy web process answers before all others: turns. It draws pictures last, except those without which a
# table can't be read: the land of its map, and the faces of its cards

ANSWERED_FIRST = r"/games/[^/]+/(submit|decide|step|undo)|/api/bot/games/[^/]+/turn|/healthz"
ANSWERED_LAST = r"/(?!boards/).+\.(svg|png|jpg)"

# Seconds for which a web process that was told to end still answers, while /livez tells the proxy to choose others

DRAIN_SECONDS = environment.number("DRAIN_SECONDS", 0, most=60)

# Limits of live streams per web process

LIVE_STREAMS = environment.number("LIVE_STREAMS", 2000, least=1, most=100_000)
LIVE_STREAMS_PER_CLIENT = environment.number("LIVE_STREAMS_PER_CLIENT", 100, least=1, most=100_000)

# Email

if environment.is_set("EMAIL_URL"):
    EMAIL = environment.email("EMAIL_URL")
    EMAIL_BACKEND = EMAIL["EMAIL_BACKEND"]
    EMAIL_HOST = EMAIL["EMAIL_HOST"]
    EMAIL_PORT = EMAIL["EMAIL_PORT"]
    EMAIL_HOST_USER = EMAIL["EMAIL_HOST_USER"] or ""
    EMAIL_HOST_PASSWORD = EMAIL["EMAIL_HOST_PASSWORD"] or ""
    EMAIL_USE_TLS = EMAIL.get("EMAIL_USE_TLS", False)
    EMAIL_USE_SSL = EMAIL.get("EMAIL_USE_SSL", False)
else:
    EMAIL_BACKEND = "empire.emails.FolderBackend"
EMAIL_FILE_PATH = str(VAR_DIR / "emails")
ANYMAIL = {
    "WEBHOOK_SECRET": environment.user_and_password("ANYMAIL_WEBHOOK_SECRET"),
    **environment.pairs("ANYMAIL_KEYS"),
}
EMAIL_TIMEOUT = environment.number("EMAIL_TIMEOUT", 20, least=1, most=60)  # well within the lease of a notice
EMAIL_SUBJECT_PREFIX = ""
DEFAULT_FROM_EMAIL = environment.sender("EMAIL_FROM", formataddr((SITE_NAME, f"games@{urlsplit(SITE_URL).hostname}")))
SERVER_EMAIL = environment.sender("SERVER_EMAIL", DEFAULT_FROM_EMAIL)
ADMINS = [("", address) for address in environment.addresses("ADMINS")]

# Web push and webhooks. Without a key there is no web push; a personal machine generates one

VAPID_PRIVATE_KEY = environment.push_key("VAPID_PRIVATE_KEY") or (
    environment.kept_secret(VAR_DIR / "vapid_key", environment.new_push_key) if DEBUG else ""
)
SECURITY_CONTACT = environment.contact(
    "SECURITY_CONTACT", f"mailto:{ADMINS[0][1] if ADMINS else parseaddr(DEFAULT_FROM_EMAIL)[1]}"
)
OPERATOR = environment.text("OPERATOR")
OPERATOR_CONTACT = environment.contact("OPERATOR_CONTACT", SECURITY_CONTACT)
VAPID_CONTACT = environment.contact("VAPID_CONTACT", f"mailto:{parseaddr(DEFAULT_FROM_EMAIL)[1]}")

# The key that signs finished games is generated once. Public keys of earlier ones still verify their signatures

RECORD_KEY = environment.signing_key("RECORD_KEY", VAR_DIR / "record_key")
RECORD_KEYS_RETIRED = environment.public_keys("RECORD_KEYS_RETIRED")

# Private hosts that webhooks may post to, as `host:port`, and the certificate authorities for them

OUTGOING_HOSTS = environment.hosts_and_ports("OUTGOING_HOSTS")
OUTGOING_CA = environment.authorities("OUTGOING_CA")

# How long personal data is kept, in days: see docs/privacy.md. The list of deleted accounts is kept apart from backups

KEEP_SIGN_INS = environment.number("KEEP_SIGN_INS", 180, least=1, most=3650)
KEEP_NOTICES = environment.number("KEEP_NOTICES", 90, least=30, most=3650)
KEEP_DRAFTS = environment.number("KEEP_DRAFTS", 30, least=1, most=3650)
KEEP_GUESTS = environment.number("KEEP_GUESTS", 30, least=1, most=3650)  # who never played
KEEP_GUESTS_WHO_PLAYED = environment.number("KEEP_GUESTS_WHO_PLAYED", 180, least=30, most=3650)
KEEP_EXPORTS = environment.number("KEEP_EXPORTS", 7, least=1, most=90)
KEEP_REPORTS = environment.number("KEEP_REPORTS", 365, least=30, most=3650)  # after they were settled
KEEP_CLOSED_ADDRESSES = environment.number("KEEP_CLOSED_ADDRESSES", 365, least=1, most=3650)  # by a keyed hash
DELETIONS_LIST = environment.file("DELETIONS_LIST", VAR_DIR / "deletions.txt")

# Limits of new accounts and guests, see docs/moderation.md: for how many days, without limits if 0, and how much a day

NEW_ACCOUNT_DAYS = environment.number("NEW_ACCOUNT_DAYS", 3, most=365)
NEW_ACCOUNT_MESSAGES = environment.number("NEW_ACCOUNT_MESSAGES", 50, least=1, most=10_000)  # in chats
NEW_ACCOUNT_TABLES = environment.number("NEW_ACCOUNT_TABLES", 5, least=1, most=10_000)  # public ones
NEW_ACCOUNT_INVITATIONS = environment.number("NEW_ACCOUNT_INVITATIONS", 10, least=1, most=10_000)

# Days for which people can continue their games before they have accepted new terms or rules of conduct
NEW_TERMS_DAYS = environment.number("NEW_TERMS_DAYS", 30, least=1, most=365)

# Languages and time

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "Deutsch"), ("fr", "Français"), ("es", "Español")]
LOCALE_PATHS = [BASE_DIR / "empire" / "locale"]
LANGUAGE_COOKIE_NAME = "language"
LANGUAGE_COOKIE_AGE = 60 * 60 * 24 * 365
LANGUAGE_COOKIE_HTTPONLY, LANGUAGE_COOKIE_SAMESITE = True, "Lax"
try:
    catalogs.compile_all(LOCALE_PATHS[0])
except catalogs.BadCatalog as trouble:
    raise ImproperlyConfigured(f"The translations could not be compiled. {trouble}") from trouble
except OSError as trouble:
    raise ImproperlyConfigured(
        f"Compiled translations cannot be written to {LOCALE_PATHS[0]} ({trouble.strerror})."
        " Run manage.py collectstatic first, with an account that may write there."
    ) from trouble
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

# Signing in

AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*"]
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_ADAPTER = "accounts.adapter.Adapter"
USERSESSIONS_ADAPTER = "accounts.adapter.SessionsAdapter"
ACCOUNT_FORMS = {
    "signup": "accounts.forms.SignUpForm",
    "add_email": "accounts.forms.NewAddressForm",
    "login": "accounts.forms.SignInForm",
    "request_login_code": "accounts.forms.CodeByEmailForm",
    "change_password": "accounts.forms.ChangedPasswordForm",
    "reset_password": "accounts.forms.ForgottenPasswordForm",
    "reset_password_from_key": "accounts.forms.NewPasswordForm",
    "set_password": "accounts.forms.FirstPasswordForm",
}
ACCOUNT_USERNAME_VALIDATORS = "accounts.names.sign_up_validators"
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_DEFAULT_HTTP_PROTOCOL = urlsplit(SITE_URL).scheme
ACCOUNT_LOGOUT_REDIRECT_URL = "/"
MFA_ADAPTER = "accounts.adapter.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = SITE_NAME
MFA_FORMS = {
    "add_webauthn": "accounts.forms.AddKeyForm",
    "authenticate_webauthn": "accounts.forms.AuthenticateKeyForm",
    "login_webauthn": "accounts.forms.SignInKeyForm",
    "reauthenticate_webauthn": "accounts.forms.ReauthenticateKeyForm",
}
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = DEBUG

# Rate limits of allauth's actions, per IP address, per user, or per key

ACCOUNT_RATE_LIMITS = {
    "login": "30/m/ip,300/h/ip",
    "login_failed": "10/m/ip,5/5m/key",  # the key is the typed name; also second factors
    "request_login_code": "20/m/ip,60/h/ip,3/m/key,10/h/key",  # the key is the email address
    "signup": "20/m/ip,60/h/ip",
    "reset_password": "20/m/ip,60/h/ip,5/m/key,10/h/key",
    "reset_password_from_key": "20/m/ip",
    "confirm_email": "1/180s/key",
    "change_password": "5/m/user",
    "manage_email": "10/m/user,20/h/user,60/h/ip",
    "reauthenticate": "10/m/user",
}

# Rate limits of our actions: per IP address; per key, which is the signed-in user, else the address; or per user

RATE_LIMITS = {
    # Accounts
    "guest": "60/h/ip",
    "unproven_address": "5/h/key,10/d/key",  # emails to a mailbox, the key, whose owner may not have asked for them
    "email": "10/h/key,60/h/ip",  # confirmation emails requested by users
    "name": "10/h/key,20/d/key",  # new names: each changes all games, messages and results of the person
    "time_off": "60/h/key,200/d/key",  # changes of nights, vacations and time zone: each recalculates deadlines
    "channels": "10/h/key,60/h/ip",  # posts to webhooks and push services
    "device": "20/h/key",  # registrations of browsers for push
    "renew": "60/h/ip",  # renewals of push subscriptions
    # Playing
    "turn": "600/m/key,3000/m/ip",  # steps, turns and undoing: far more than a person or a whole school needs
    "table": "600/m/user,1800/m/ip",  # pages of tables, now and earlier, except what many spectators share
    "open_table": "60/h/key,300/h/ip",
    "public_table": "20/h/ip,60/d/ip",  # also competitions; by address, because anyone can have many accounts
    "join_table": "60/h/key,300/h/ip",
    "challenge": "30/h/key",
    "invite": "30/h/key,100/d/key",  # invitations by name
    "people": "60/m/key,600/h/key",  # searches for a player
    "organize": "120/h/key",
    "outlook": "40/m/key,300/h/key,600/h/ip",  # of a tournament's settings, for which bots play games
    "ask": "20/h/key,60/d/key",  # requests to stand in
    "chat": "30/m/key",
    "own_data": "30/h/key",  # requests for the archive of one's own data
    "report": "20/h/key,60/h/ip,200/d/ip",  # reports to moderators, also by address: anyone can be many guests
    "thumbnail": "600/m/key",  # boards in lists; browsers keep them
    # Programs
    "api": "120/m/key",
    "scores": "20/m/key,200/h/key",  # files of up to thousands of results
    "bot": "300/m/key",  # requests of outside bots; the key is the bot
    "bot_token": "30/m/ip",  # requests with a wrong token
    "own_bots": "60/h/key",  # changes of a person's own bots
    "picture": "30/m/ip",  # pictures of boards in previews of links
    "calendar": "60/h/key",  # the key is the calendar, because calendar services fetch many from one address
    "verify": "20/h/key",
    # The engine
    "review": "10/h/key,30/d/key,30/h/ip",
    "review_picture": "120/m/key",  # boards of reviewed turns, which take ten times as long as thumbnails
    "hint": "30/h/key,60/h/ip",
}

# Security. Servers are assumed to use HTTPS

HTTPS = environment.flag("HTTPS", default=not DEBUG)
SECURE_SSL_REDIRECT = SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$"]
HSTS_SECONDS = environment.number("HSTS_SECONDS", 31_536_000, most=10**9)
SECURE_HSTS_SECONDS = HSTS_SECONDS if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
PROXY_COUNT = environment.number("PROXY_COUNT", 1, least=1, most=10)
BEHIND_PROXY = environment.flag("BEHIND_PROXY", default=False)
if BEHIND_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    ALLAUTH_TRUSTED_PROXY_COUNT = PROXY_COUNT
CSRF_TRUSTED_ORIGINS = [SITE_URL]
SESSION_ENGINE = "accounts.sessions"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 180
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
CSRF_FAILURE_VIEW = "empire.web.views.csrf_failure"

# Limits of requests; `empire.web.handler` limits the total size

DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000  # without files
DATA_UPLOAD_MAX_NUMBER_FIELDS = 1000
DATA_UPLOAD_MAX_NUMBER_FILES = 3

PERMISSIONS_POLICY = {
    **dict.fromkeys(("accelerometer", "browsing-topics", "camera", "display-capture", "geolocation", "gyroscope",
                     "magnetometer", "microphone", "midi", "payment", "serial", "usb", "xr-spatial-tracking"), "()"),
    **dict.fromkeys(("publickey-credentials-create", "publickey-credentials-get"), "(self)"),
}  # fmt: skip

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "worker-src": [SELF],
        "style-src": [SELF],
        "font-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "frame-src": [SELF],
        "manifest-src": [SELF],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}

# Logging

LOG_LEVEL = environment.one_of("LOG_LEVEL", "WARNING" if DEBUG else "INFO", ("DEBUG", "INFO", "WARNING", "ERROR"))
LOG_FORMAT = environment.one_of("LOG_FORMAT", "text", ("text", "json"))
LOG_HANDLERS = ["console", "admins"] if ADMINS else ["console"]
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "text": {"()": "empire.observability.logs.TextFormatter"},
        "json": {"()": "empire.observability.logs.JsonFormatter"},
    },
    "filters": {
        "without keys": {"()": "empire.observability.logs.WithoutKeys"},
        "visitors": {"()": "empire.observability.logs.WithoutVisitorsTracebacks"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": LOG_FORMAT,
            "filters": ["without keys", "visitors"],
        },
        "admins": {
            "()": "empire.observability.logs.EmailToAdmins",
            "formatter": "text",
            "filters": ["without keys"],
        },
    },
    "loggers": {
        "django": {"handlers": [], "level": LOG_LEVEL},  # one line per message, also with DEBUG
        "uvicorn": {"handlers": LOG_HANDLERS, "propagate": False},
        "uvicorn.access": {"handlers": ["console"], "propagate": False},
    },
    "root": {"handlers": LOG_HANDLERS, "level": LOG_LEVEL},
}
SENTRY_DSN = environment.sentry("SENTRY_DSN")
