#!/bin/sh
# Pulls the images that compose.yaml and the Dockerfile name, and writes their digests into .env: from then on these
# images are used, whatever the registry gives under the same names later. Without digests nothing is built or started.
# Run again, it takes what the registry has by then.
set -eu
cd -- "$(dirname -- "$0")"
umask 077
new=$(mktemp .env.XXXXXX)
trap 'rm -f -- "$new"' EXIT
if [ -f .env ]; then grep -vE '^[A-Z]+_DIGEST=' .env > "$new" || true; fi

# As in postgres:17@${POSTGRES_DIGEST:?...} and FROM debian:trixie-slim@${DEBIAN_DIGEST}.
named=$(sed -nE 's/^ *(image:|FROM) +([a-z0-9./-]+:[A-Za-z0-9._-]+)@\$\{([A-Z]+_DIGEST)[:}].*/\3 \2/p' compose.yaml Dockerfile)
[ -n "$named" ] || { echo "compose.yaml and Dockerfile name no image." >&2; exit 1; }
# No pipe: a loop in one would end without ending the script.
while read -r variable image; do
  docker pull --quiet "$image" < /dev/null > /dev/null
  digest=$(docker image inspect --format '{{range .RepoDigests}}{{println .}}{{end}}' "$image" |
    sed -n "s|^\(docker\.io/\)\{0,1\}\(library/\)\{0,1\}${image%:*}@||p" | head -n 1)
  if ! printf '%s\n' "$digest" | grep -qE '^sha256:[0-9a-f]{64}$'; then
    echo "$image has no digest of a registry, and cannot be pinned. Nothing was changed." >&2
    exit 1
  fi
  echo "$variable=$digest" >> "$new"
  echo "$image@$digest"
done <<END
$named
END
chmod 600 "$new"
mv -- "$new" .env
