#!/bin/sh
# Writes one backup into BACKUP_DIR and keeps the newest KEEP of them. Fails loudly: a backup that is not whole has no name.
set -eu
umask 077
: "${BACKUP_DIR:?}" "${KEEP:=14}"
cd "$(dirname "$0")/.."
mkdir -p "$BACKUP_DIR"
name="hedge-console-$(date -u +%Y%m%dT%H%M%SZ)"
partial="$BACKUP_DIR/.$name.part"
trap 'rm -f "$partial"' EXIT

if [ -n "${DATABASE_URL:-}" ]; then
  file="$BACKUP_DIR/$name.dump"
  pg_dump --format=custom --file="$partial" "${DATABASE_OWNER_URL:-$DATABASE_URL}"
  pg_restore --list "$partial" >/dev/null
elif [ -n "${COMPOSE_FILE:-}" ]; then
  file="$BACKUP_DIR/$name.dump"
  docker compose exec -T postgres pg_dump --format=custom -U hedge_owner hedge >"$partial"
  docker compose exec -T postgres pg_restore --list <"$partial" >/dev/null
else
  file="$BACKUP_DIR/$name.tar.gz"
  # It names its file itself once that is whole.
  node dist/server/backup.js "$file"
fi
[ ! -e "$partial" ] || mv "$partial" "$file"
[ -s "$file" ]

ls -1 "$BACKUP_DIR" | grep -E '^hedge-console-[0-9TZ]+\.(dump|tar\.gz)$' | sort -r | tail -n +"$((KEEP + 1))" |
  while read -r old; do rm -f "$BACKUP_DIR/$old"; done
echo "$file"
