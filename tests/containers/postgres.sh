# What the official image of PostgreSQL does before it starts the server, as far as docker-compose.yml uses it.
set -eu
export PATH="$PATH"
if [ "$(id -u)" = 0 ]; then
  install --directory --mode 700 --owner postgres --group postgres "$PGDATA"
  password=$(cat "$POSTGRES_PASSWORD_FILE")
  export password
  exec setpriv --reuid postgres --regid postgres --init-groups sh "$0"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  echo "$password" > /tmp/password
  initdb --encoding UTF8 --username "$POSTGRES_USER" --pwfile /tmp/password --auth-local trust --auth-host scram-sha-256
  rm /tmp/password
  echo "host all all all scram-sha-256" >> "$PGDATA/pg_hba.conf"
  pg_ctl --wait start --options "-c listen_addresses=''"
  createdb --username "$POSTGRES_USER" "$POSTGRES_DB"
  pg_ctl --wait stop
fi
exec postgres -c listen_addresses='*'
