# The image of the site, for web, workers, beat and commands; docker-compose.yml says which container runs what.

FROM python:3.11.14-slim-bookworm AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN python -m venv /opt/venv
WORKDIR /build
COPY pyproject.toml constraints.txt ./
RUN /opt/venv/bin/pip install --constraint constraints.txt ".[prod]" \
    && /opt/venv/bin/pip uninstall --yes setuptools pip

FROM postgres:18.4-bookworm AS postgresql

FROM python:3.11.14-slim-bookworm
ENV PATH=/opt/venv/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 VAR_DIR=/var/lib/empire
RUN useradd --uid 10001 --no-create-home --home-dir /var/lib/empire empire \
    && install --directory --owner empire --group empire /var/lib/empire
# For backups: pg_dump must not be older than the server, and Debian's is. The libraries that it needs are Debian's
RUN apt-get update && apt-get install --yes --no-install-recommends \
    libgssapi-krb5-2 libldap-2.5-0 liblz4-1 libzstd1 && rm -r /var/lib/apt/lists/*
COPY --from=postgresql /usr/lib/postgresql/18/bin/pg_dump /usr/lib/postgresql/18/bin/pg_restore /usr/local/bin/
COPY --from=postgresql /usr/lib/*-linux-gnu/libpq.so.5* /usr/local/lib/
RUN ldconfig && pg_dump --version && pg_restore --version
COPY --from=build /opt/venv /opt/venv
WORKDIR /srv/empire
COPY manage.py ./
COPY accounts accounts
COPY empire empire
COPY games games
COPY templates templates
COPY docs/privacy.md docs/terms.md docs/conduct.md docs/accessibility.md docs/bots.md docs/record.md docs/standings.md docs/webhooks.md docs/
COPY docs/example_bot.py docs/bots.schema.json docs/record.schema.json docs/
RUN python -m compileall -q . && VAR_DIR=/tmp/build DEBUG=0 ALLOWED_HOSTS=localhost \
    SECRET_KEY=for-this-step-alone-and-of-no-use-after-it python manage.py collectstatic --no-input && rm -r /tmp/build
USER 10001
EXPOSE 8000
CMD ["uvicorn", "empire.asgi:application", "--host", "0.0.0.0", "--port", "8000", "--lifespan", "off", \
    "--no-proxy-headers", "--no-server-header", "--timeout-graceful-shutdown", "10"]
