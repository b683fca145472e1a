#!/bin/sh
# upgrade.sh SOURCE: builds a release from the sources in SOURCE, backs up, switches to it, and back when it does not get ready.
set -eu
source=${1:?usage: upgrade.sh SOURCE}
: "${ROOT:=/opt/hedge-console}" "${UNIT:=hedge-console}" "${KEEP_RELEASES:=3}"
release="$ROOT/releases/$(date -u +%Y%m%dT%H%M%SZ)"
before=$(readlink "$ROOT/current" || true)

mkdir -p "$release"
# Without the history and what was built there.
tar -C "$source" --exclude=./.git --exclude=./node_modules --exclude=./dist --exclude=./data -cf - . | tar -C "$release" -xf -
(cd "$release" && npm ci --no-audit --no-fund && npm run build && npm prune --omit=dev --no-audit --no-fund)

# While the old release runs: what it writes from here to the switch is in the database, not in the backup.
if [ -n "$before" ]; then systemctl start "$UNIT-backup.service"; fi

switch() {
  ln -sfn "$1" "$ROOT/current.new"
  mv -T "$ROOT/current.new" "$ROOT/current"
}
switch "$release"
# The unit's start ends when the server is ready, and fails when it does not get so in time.
if systemctl restart "$UNIT.service"; then
  echo "release $release"
  # The one before stays for a rollback.
  ls -1d "$ROOT"/releases/* | sort -r | tail -n +"$((KEEP_RELEASES + 1))" | while read -r old; do
    [ "$old" = "$before" ] || rm -rf "$old"
  done
  exit 0
fi
echo "the new release did not get ready: journalctl -u $UNIT" >&2
[ -n "$before" ] || exit 1
switch "$before"
# Nobody is to roll back to it.
rm -rf "$release"
systemctl restart "$UNIT.service" || {
  # Its migrations may have come through before it failed: the old release does not open a newer database.
  echo "the release before does not start either; rollback.sh --restore FILE brings the backup back" >&2
  exit 2
}
echo "back at $before" >&2
exit 1
