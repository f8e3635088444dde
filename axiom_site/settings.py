"""Settings, read from the environment; an empty environment gives a working development set-up on SQLite.

`AXIOM_PRODUCTION=1` turns on production mode, which refuses to start without its secrets. README.md lists all
variables.
"""

from __future__ import annotations

from pathlib import Path

import dj_database_url
from csp.constants import NONCE, NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from axiom_site import broker, env

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(env.text("AXIOM_DATA_DIR", str(BASE_DIR / "var"))).resolve()
DATA_DIR.mkdir(parents=True, exist_ok=True)

PRODUCTION = env.flag("AXIOM_PRODUCTION", default=False)
DEBUG = env.flag("AXIOM_DEBUG", default=False)
if PRODUCTION and DEBUG:
    raise ImproperlyConfigured("AXIOM_PRODUCTION and AXIOM_DEBUG exclude each other: unset AXIOM_DEBUG.")

DEVELOPMENT_SECRET = "development-only-secret-that-production-mode-refuses"  # noqa: S105
SECRET_KEY = env.text("AXIOM_SECRET_KEY", "" if PRODUCTION else DEVELOPMENT_SECRET)
if PRODUCTION and (len(SECRET_KEY) < 32 or SECRET_KEY == DEVELOPMENT_SECRET):
    raise ImproperlyConfigured("AXIOM_SECRET_KEY is missing or shorter than 32 characters: set a long random value.")

ALLOWED_HOSTS = env.words("AXIOM_ALLOWED_HOSTS", "" if PRODUCTION else "localhost,127.0.0.1,[::1],testserver")
if PRODUCTION and not ALLOWED_HOSTS:
    raise ImproperlyConfigured("AXIOM_ALLOWED_HOSTS is empty: set the host names that the web server answers to.")
CSRF_TRUSTED_ORIGINS = env.words("AXIOM_TRUSTED_ORIGINS")
for origin in CSRF_TRUSTED_ORIGINS:
    if not origin.startswith(("http://", "https://")):
        raise ImproperlyConfigured(f"AXIOM_TRUSTED_ORIGINS: {origin!r} needs its scheme, such as https://{origin}.")

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "csp",
    "django_htmx",
    "perturbation",
    "annotation",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "axiom_site.urls"
WSGI_APPLICATION = "axiom_site.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

DATABASE_URL = env.text("DATABASE_URL", f"sqlite:///{DATA_DIR / 'axiom.sqlite3'}")
try:
    DATABASES = {"default": dj_database_url.parse(DATABASE_URL, conn_max_age=60, conn_health_checks=True)}
except ValueError:
    raise ImproperlyConfigured(
        "DATABASE_URL is no address of a database: use postgres://user:password@host/name or sqlite:///path."
    ) from None
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 30,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-20000;",
    }
    DATABASES["default"]["TEST"] = {"NAME": env.text("AXIOM_TEST_SQLITE") or None}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English"))]
TIME_ZONE = "UTC"
USE_I18N = len(LANGUAGES) > 1  # looking up English in an empty catalogue costs a tenth of a page
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = Path(env.text("AXIOM_STATIC_ROOT", str(DATA_DIR / "staticfiles")))
STATIC_ROOT.mkdir(parents=True, exist_ok=True)
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if PRODUCTION or env.flag("AXIOM_HASHED_STATIC", default=False)
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = not PRODUCTION

LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "login"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]

SESSION_COOKIE_AGE = 14 * 24 * 3600
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = PRODUCTION
SESSION_COOKIE_HTTPONLY = True
CSRF_COOKIE_HTTPONLY = True
SECURE_SSL_REDIRECT = PRODUCTION and env.flag("AXIOM_SSL_REDIRECT", default=True)
SECURE_REDIRECT_EXEMPT = [r"^healthz$"]
SECURE_HSTS_SECONDS = env.integer("AXIOM_HSTS_SECONDS", 30 * 24 * 3600) if PRODUCTION else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = env.flag("AXIOM_HSTS_SUBDOMAINS", default=False)
if env.flag("AXIOM_BEHIND_PROXY", default=False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF, NONCE],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}

AXIOM_BROKER_URL = env.text("AXIOM_BROKER_URL")
CELERY_BROKER_URL = broker.url(AXIOM_BROKER_URL, data_dir=DATA_DIR)
CELERY_TASK_ALWAYS_EAGER = False
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_TIME_LIMIT = 600
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = broker.TRANSPORT_OPTIONS

# What the pipeline and the reports use; README.md, section Settings, explains each.
AXIOM_LLM_BASE_URL = env.text("AXIOM_LLM_BASE_URL")
AXIOM_LLM_API_KEY = env.text("AXIOM_LLM_API_KEY", "none")
AXIOM_LLM_MODELS = env.words("AXIOM_LLM_MODELS")
# An attempt begins at the latest after leases.SLICE and model_client.GIVE_UP_AFTER_SECONDS, 420 s: what is left of the
# tasks' time limit must hold it. It bounds the attempts at an embeddings endpoint as well.
AXIOM_LLM_TIMEOUT_SECONDS = env.integer("AXIOM_LLM_TIMEOUT_SECONDS", 120, minimum=1, maximum=150)
AXIOM_LLM_ATTEMPTS = env.integer("AXIOM_LLM_ATTEMPTS", 4, minimum=1)
AXIOM_LLM_RETRY_SECONDS = env.integer("AXIOM_LLM_RETRY_SECONDS", 2)
AXIOM_LLM_RULES_PER_STEP = env.integer("AXIOM_LLM_RULES_PER_STEP", 3, minimum=1)
AXIOM_EMBEDDING_BASE_URL = env.text("AXIOM_EMBEDDING_BASE_URL")
AXIOM_EMBEDDING_API_KEY = env.text("AXIOM_EMBEDDING_API_KEY", "none")
AXIOM_EMBEDDING_MODEL = env.text("AXIOM_EMBEDDING_MODEL")
if AXIOM_EMBEDDING_BASE_URL and not AXIOM_EMBEDDING_MODEL:
    raise ImproperlyConfigured("AXIOM_EMBEDDING_BASE_URL is set: set AXIOM_EMBEDDING_MODEL to a model's name there.")
AXIOM_MAX_STEPS = env.integer("AXIOM_MAX_STEPS", 5, minimum=1)
AXIOM_PER_TARGET = env.integer("AXIOM_PER_TARGET", 2, minimum=1)
AXIOM_DRAW_BUDGET = env.integer("AXIOM_DRAW_BUDGET", 24, minimum=1)
AXIOM_PER_SCORE = env.integer("AXIOM_PER_SCORE", 90, minimum=1)
AXIOM_OVERLAP = env.integer("AXIOM_OVERLAP", 3, minimum=1)

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name} {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": env.text("AXIOM_LOG_LEVEL", "WARNING")},
}
