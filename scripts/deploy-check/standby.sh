#!/bin/sh
# Runs the scripts of deploy/postgres with the PostgreSQL of this machine, in namespaces of its own: the standby
# copies the primary, a commit waits for it, and after the primary is killed the standby takes writes.
#   unshare --mount --net --pid --fork sh standby.sh DEPLOY_FOLDER POSTGRES_BIN
set -eu
deploy=$1
export PATH="$2:$PATH" LC_ALL=C
mount -t proc proc /proc
ip link set lo up
mount -t tmpfs tmpfs /mnt
mkdir /mnt/bin /mnt/init
printf '127.0.0.1 localhost\n127.0.0.2 postgres-1\n127.0.0.3 postgres-2\n' >/mnt/hosts
mount --bind /mnt/hosts /etc/hosts
mkdir -p /docker-entrypoint-initdb.d
mount --bind /mnt/init /docker-entrypoint-initdb.d

# What the image's entrypoint does, as far as the scripts need it.
cat >/mnt/bin/docker-entrypoint.sh <<'ENTRYPOINT'
#!/bin/sh
set -eu
mkdir -p "$PGDATA"; chown postgres "$PGDATA"
as() { runuser -u postgres --whitelist-environment=PGDATA,POSTGRES_PASSWORD,PGHOST -- "$@"; }
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  echo "$POSTGRES_PASSWORD" >"$PGDATA.password"; chmod 644 "$PGDATA.password"
  as "$BIN/initdb" --username postgres --pwfile "$PGDATA.password" --auth-local trust --auth-host scram-sha-256 >/dev/null
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  as "$BIN/pg_ctl" -s -w -o "-c listen_addresses='' -c unix_socket_directories=$SOCKET" start >/dev/null
  for script in /docker-entrypoint-initdb.d/*.sh; do [ ! -x "$script" ] || as env PGHOST="$SOCKET" PATH="$PATH" "$script"; done
  as "$BIN/pg_ctl" -s -w -m fast stop
fi
shift
exec runuser -u postgres -- "$BIN/postgres" -D "$PGDATA" -c listen_addresses="$ADDRESS" -c unix_socket_directories="$SOCKET" "$@"
ENTRYPOINT
chmod 755 /mnt/bin/docker-entrypoint.sh
export PATH="/mnt/bin:$PATH" BIN=$2 POSTGRES_PASSWORD=secret PRIMARY=postgres-1

node() {
  mkdir -p "/mnt/$1/socket"; chown -R postgres "/mnt/$1"
  NODE=$1 ADDRESS=$2 PGDATA=/mnt/$1/data SOCKET=/mnt/$1/socket sh "$deploy/postgres/node.sh" >"/mnt/$1/log" 2>&1 &
}
# As a node does, it uses the one that is not a standby.
SERVERS=postgres://casefile:secret@postgres-1:5432,postgres-2:5432/casefile?target_session_attrs=read-write
ask() { PGCONNECT_TIMEOUT=2 psql -qAt --set ON_ERROR_STOP=1 "$SERVERS" -c "$1"; }
admin() { PGCONNECT_TIMEOUT=2 psql -qAt --set ON_ERROR_STOP=1 -h "/mnt/$1/socket" -U postgres -c "$2"; }
until_true() {
  for _ in $(seq 1 300); do if "$@" >/dev/null 2>&1; then return 0; fi; sleep 0.1; done
  tail -n 20 /mnt/*/log; echo "never true: $*"; exit 1
}

node postgres-1 127.0.0.2
first=$!
node postgres-2 127.0.0.3
until_true ask "select 1"
until_true admin postgres-1 "select 1/count(*) from pg_stat_replication where sync_state in ('sync', 'quorum')"
ask "create table acknowledged (id int)"
ask "insert into acknowledged values (1)"
echo "two servers, the second is a synchronous standby"

kill -9 "$first" $(head -1 /mnt/postgres-1/data/postmaster.pid); wait "$first" 2>/dev/null || true
PGHOST=/mnt/postgres-2/socket sh "$deploy/postgres/promote.sh" >/dev/null
until_true ask "insert into acknowledged values (2)"
[ "$(ask 'select count(*) from acknowledged')" = 2 ]
echo "the primary was killed; the promoted standby has what was acknowledged, and takes writes"

rm -rf /mnt/postgres-1/data
export PRIMARY=postgres-2
node postgres-1 127.0.0.2
until_true admin postgres-1 "select 1/pg_is_in_recovery()::int"
admin postgres-2 "alter system set synchronous_standby_names = '*'"
admin postgres-2 "select pg_reload_conf()" >/dev/null
until_true admin postgres-2 "select 1/count(*) from pg_stat_replication where sync_state in ('sync', 'quorum')"
ask "insert into acknowledged values (3)"
echo "the former primary copied the new one and is its standby"
