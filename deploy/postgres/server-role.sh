#!/bin/sh
# Runs once, when the database is made: the role that the server signs in as. The first start grants it what it needs.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$SERVER_PASSWORD" -U "$POSTGRES_USER" -d "$POSTGRES_DB" <<'SQL'
create role hedge_server login password :'password';
SQL
