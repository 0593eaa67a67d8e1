#!/bin/sh
# Starts one of two PostgreSQL servers: the primary, or a standby that copies it first. For the image docker.io/library/postgres.
#   NODE, PRIMARY       name of this server, and of the one that has the data
#   POSTGRES_PASSWORD   of the roles casefile and replicator, and of the administrator
set -eu

if [ "$NODE" = "$PRIMARY" ]; then
  # Runs once, after the image has made the database.
  cp "$(dirname "$0")/primary.sh" /docker-entrypoint-initdb.d/casefile.sh
  chmod 755 /docker-entrypoint-initdb.d/casefile.sh
elif [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA"
  until PGPASSWORD=$POSTGRES_PASSWORD pg_basebackup --host "$PRIMARY" --username replicator --pgdata "$PGDATA" \
    --write-recovery-conf --wal-method stream --checkpoint fast; do
    find "$PGDATA" -mindepth 1 -delete
    sleep 2
  done
  chown -R postgres:postgres "$PGDATA"
  chmod 700 "$PGDATA"
fi
exec docker-entrypoint.sh postgres "$@"
