#!/bin/sh
# rollback.sh [--restore FILE]: back to the release before. A release never opens the database of a newer one: when there were
# migrations in between, FILE, the backup that the upgrade took, is restored too, and what was written since is lost.
set -eu
: "${ROOT:=/opt/hedge-console}" "${UNIT:=hedge-console}" "${ENVIRONMENT:=/etc/hedge-console/environment}"
# What is restored belongs to whom the server runs as.
: "${AS:=runuser -u hedge --}"
file=
if [ "${1:-}" = --restore ]; then file=$(realpath "${2:?usage: rollback.sh [--restore FILE]}"); fi
now=$(readlink -f "$ROOT/current")
before=$(ls -1d "$ROOT"/releases/* | sort | awk -v now="$now" '$0 == now { print last } { last = $0 }')
[ -n "$before" ] || { echo "there is no release before $now" >&2; exit 1; }

systemctl stop "$UNIT.service"
ln -sfn "$before" "$ROOT/current.new"
mv -T "$ROOT/current.new" "$ROOT/current"
if [ -n "$file" ]; then
  cd "$ROOT/current"
  set -a
  . "$ENVIRONMENT"
  set +a
  case $file in
    *.tar.gz) $AS node dist/server/restore.js "$file" --force ;;
    # One transaction: a restore that fails leaves the database as it is.
    *) pg_restore --clean --if-exists --single-transaction --no-owner --dbname="${DATABASE_OWNER_URL:-${DATABASE_URL:?}}" "$file" &&
      psql "${DATABASE_OWNER_URL:-$DATABASE_URL}" -c 'truncate session, one_time_code' ;;
  esac
fi
systemctl start "$UNIT.service"
echo "back at $before"
