#!/bin/sh
# Makes the certificate by which programs know the database, and an authority of its own that signs nothing else:
#   make-certificates.sh [folder] [name of the database's host] [user id of the database's server]
# Run again, it replaces them. Programs then trust the authority of before as well, until the run after.
set -eu
folder=${1:-$(dirname -- "$0")/tls}
name=${2:-database}
# That of the image of PostgreSQL.
reader=${3:-999}
# An expired one stops every program. Its key is one machine's, and replaced at will; an alert comes 30 days before.
days=3650

umask 077
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
new_key="-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"

cat > "$work/server.ext" <<END
basicConstraints=critical,CA:FALSE
keyUsage=critical,digitalSignature
extendedKeyUsage=serverAuth
subjectAltName=DNS:$name
END
# shellcheck disable=SC2086
openssl req -x509 $new_key -keyout "$work/ca.key" -out "$work/ca.crt" -days $days -sha256 \
  -subj "/CN=Copydesk database authority $(date -u +%Y-%m-%dT%H:%M:%SZ)" \
  -addext "keyUsage=critical,keyCertSign" \
  -addext "nameConstraints=critical,permitted;DNS:$name" 2>"$work/log" || { cat "$work/log" >&2; exit 1; }
# shellcheck disable=SC2086
openssl req $new_key -keyout "$work/database.key" -out "$work/database.csr" \
  -subj "/CN=$name" 2>"$work/log" || { cat "$work/log" >&2; exit 1; }
openssl x509 -req -in "$work/database.csr" -CA "$work/ca.crt" -CAkey "$work/ca.key" -CAcreateserial -sha256 \
  -days $days -extfile "$work/server.ext" -out "$work/database.crt" 2>"$work/log" || { cat "$work/log" >&2; exit 1; }

mkdir -p -- "$folder"
chmod 755 -- "$folder"
if [ -s "$folder/ca.crt" ]; then openssl x509 -in "$folder/ca.crt" >> "$work/ca.crt"; fi
# Written in place: containers have mounted these files, and not their names. The authority's key ends with this run, so
# nothing is signed with it later.
for file in ca.crt database.key database.crt; do cat "$work/$file" > "$folder/$file"; done
chmod 644 -- "$folder/ca.crt" "$folder/database.crt"
chmod 600 -- "$folder/database.key"
if [ "$(id -u)" = 0 ]; then chown -- "$reader" "$folder/database.key"; fi
echo "$folder: $(openssl x509 -in "$folder/database.crt" -noout -subject -enddate | tr '\n' ' ')"
