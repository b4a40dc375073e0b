#!/bin/bash
# Takes segments of the log from the inbox into the vault, every few seconds, as root. What is there is never replaced: a
# machine that is not ours any more can add, and take nothing back.
set -u -o pipefail
inbox=<data>/inbox/archive/copydesk
cd <data>/vault/archive/copydesk
umask 027
# All that is done in the inbox is done with the rights of the inbox: a link that somebody puts there leads nowhere else.
as_inbox() (cd / && exec setpriv --reuid=backup --regid=backup --clear-groups timeout 60 "$@")

while sleep 3; do
  # Names of segments and of their histories alone (of PostgreSQL 15, with the compress-type of pgbackrest.conf), without
  # parts that lead elsewhere.
  as_inbox find "$inbox" -type f -size -64M -printf '%P\n' |
    grep -xE '15-[0-9]+/([0-9A-F]{8}\.history|[0-9A-F]{16}/[0-9A-F]{24}(\.[0-9A-F]{8}\.backup|(\.partial)?-[0-9a-f]{40}\.zst))' |
    sort | while read -r name; do
    segment=$(echo "$name" | sed -E 's/-[0-9a-f]{40}\.zst$/-*/')
    # shellcheck disable=SC2086 # A pattern: a second version of a segment would make the first one useless.
    if [ "$name" != "$segment" ] && ls $segment >/dev/null 2>&1 || [ -e "$name" ]; then
      [ -e "$name" ] || echo "refused, another one is kept: $name"
    else
      mkdir -p "${name%/*}"
      as_inbox cat "$inbox/$name" | cat >.new && sync .new && mv .new "$name" || continue
    fi
    as_inbox rm -f "$inbox/$name"
  done
done
