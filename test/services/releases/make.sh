#!/bin/sh
# Writes what a release leaves behind, for test/services/releases.test.ts: a database and a backup. Run it with the executable of
# each release, and keep the files: sh make.sh ../../../dist/casefile
set -eu
casefile=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
version=$("$casefile" --version)
CASEFILE_DATA_DIR=$(mktemp -d)/data
export CASEFILE_DATA_DIR CASEFILE_STARTER_ENABLED=false CASEFILE_SCAN_ALLOWED_RESERVED_TLDS=example
mkdir -p "$here/$version"
"$casefile" import "$here/case-studies.jsonl"
"$casefile" enrich --from "$here/../../../data/examples/harbourline.example.json" --keep >/dev/null
key=$("$casefile" keys issue ana@brightpine.example --json | sed -n 's/.*"api_key": *"\([^"]*\)".*/\1/p')
"$casefile" watch add harbourline.example
"$casefile" webhooks add https://hooks.harbourline.example/casefile
"$casefile" backup create "$here/$version/backup.tar.zst"
schema=$("$casefile" doctor --offline --json | sed -n 's/.*schema \([0-9]*\).*/\1/p' | head -1)
zstd -q -19 -f "$CASEFILE_DATA_DIR/casefile.sqlite" -o "$here/$version/casefile.sqlite.zst"
printf '{\n  "schema": %s,\n  "api_key": "%s"\n}\n' "$schema" "$key" >"$here/$version/expected.json"
rm -r "$(dirname "$CASEFILE_DATA_DIR")"
