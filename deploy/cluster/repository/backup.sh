#!/bin/bash
# A backup into the vault, as root: a full one on Sundays, else what has changed since the last one.
set -eu
cd <data>/vault/backup/copydesk
type=incr
[ "$(date +%u)" != 7 ] || type=full
# Root's removal of old ones writes the list anew, which the next backup writes as postgres.
trap 'chown postgres backup.info backup.info.copy' EXIT
# As a user of its own: what it reads comes from the databases, and may be made to harm.
setpriv --reuid=postgres --regid=postgres --clear-groups \
  pgbackrest --config=<etc>/vault.conf --config-include-path=<etc>/databases --stanza=copydesk --type="${1:-$type}" backup
# From now on it may read this one, and no longer change it.
for manifest in 20*/backup.manifest; do chown -R root:postgres "${manifest%/*}"; done
mkdir -p <data>/lists
cp backup.info "<data>/lists/backup.info.$(date +%F)"
cp ../../archive/copydesk/archive.info "<data>/lists/archive.info.$(date +%F)"
find <data>/lists -type f -mtime +30 -delete
pgbackrest --config=<etc>/vault.conf --stanza=copydesk expire
