#!/bin/bash
# The database as it was at a moment, in a folder of its own, as root: look.sh "2026-03-01 14:02:00+00". The cluster goes
# on meanwhile. More options are for pgBackRest: --target-timeline=3 where another history than the newest one is meant.
set -eu -o pipefail
look=<data>/look
as_postgres() (cd / && exec setpriv --reuid=postgres --regid=postgres --clear-groups "$@")
pg_ctl() { as_postgres /usr/lib/postgresql/15/bin/pg_ctl --pgdata="$look/postgres" "$@"; }
install -d -o postgres -g postgres -m 700 "$look" "$look/postgres"
# The moment of before gives way.
! pg_ctl status >/dev/null 2>&1 || pg_ctl stop
as_postgres pgbackrest --config=<etc>/vault.conf --stanza=copydesk --pg1-path="$look/postgres" \
  --type=time --target="$1" --target-action=promote --delta "${@:2}" restore
# It is reached by its socket alone. Nothing of it goes to the archive, and it waits for no standby.
pg_ctl --log="$look/log" start --options="\
  -c listen_addresses= -c unix_socket_directories=$look -c archive_mode=off -c synchronous_standby_names= \
  -c hba_file=$look/postgres/pg_hba.conf -c ident_file=$look/postgres/pg_ident.conf"
# It goes no further than to the moment, and becomes a database of its own there: one that only stood still would hold the
# locks of what came next. It ends instead where the archive does not reach that far.
while is_on_its_way=$(as_postgres psql -h "$look" -d copydesk -qtAc 'SELECT pg_is_in_recovery()'); do
  [ "$is_on_its_way" = t ] || { echo "Look: runuser -u postgres -- psql -h $look copydesk" && exit; }
  sleep 1
done
tail -n 20 "$look/log"
exit 1
