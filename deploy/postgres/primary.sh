#!/bin/sh
# Makes a new server the primary of a synchronous standby: a commit returns when both have it on their disks.
set -eu
psql --set ON_ERROR_STOP=1 --set password="$POSTGRES_PASSWORD" --username postgres --dbname postgres <<'SQL'
create role casefile login password :'password';
create database casefile owner casefile encoding 'UTF8' locale 'C' template template0;
create role replicator login replication password :'password';
alter system set synchronous_standby_names = '*';
SQL
echo 'host replication replicator all scram-sha-256' >>"$PGDATA/pg_hba.conf"
