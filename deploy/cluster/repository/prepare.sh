#!/bin/bash
# The repository's folders and keys, as root, when the databases run. Again, where somebody stopped the inbox.
set -eu -o pipefail
cd <etc>
chmod 755 .
chmod 600 *.*
chmod 644 ca.crt
chown backup inbox.conf inbox.key inbox.crt
chown root:postgres vault.conf vault.key vault.crt
chmod 640 vault.conf vault.key vault.crt
install -d databases
install -g postgres -m 640 databases.conf databases/
install -d -m 755 <data>
# The user of the inbox adds to it; folders and list are root's. Whoever replaced the list would choose the key of the log.
install -d -g backup -m 750 <data>/inbox <data>/inbox/archive
install -d -g backup -m 3770 <data>/inbox/archive/copydesk
install -d -o backup -m 700 <data>/inbox/lock
rm -f <data>/inbox/lock/*.stop
install -d -o postgres -m 700 <data>/lock
if [ "$(stat -c %U <data>/vault 2>&1)" != root ]; then
  # It asks the databases, with the key that they know.
  install -d -o postgres -g postgres -m 2750 <data>/vault
  setpriv --reuid=postgres --regid=postgres --clear-groups \
    pgbackrest --config=<etc>/vault.conf --config-include-path=<etc>/databases --stanza=copydesk stanza-create
  # All of it is root's, who lets postgres read. A backup belongs to postgres until backup.sh gives it to root, and so do
  # the two lists, which a backup writes.
  chown -R root <data>/vault/*
  chmod 3770 <data>/vault/*/copydesk
  chown postgres <data>/vault/*/copydesk/*.info*
  chown root <data>/vault
fi
# The key of the log, and no more, for the inbox: the databases encrypt with it. Each place has a passphrase of its own.
for info in archive.info archive.info.copy; do
  pgbackrest --config=<etc>/vault.conf repo-get "archive/copydesk/$info" |
    (umask 027 && pgbackrest --config=<etc>/inbox.conf repo-put "archive/copydesk/$info")
done
