#!/bin/sh
# Makes this standby the primary. Stop the old primary first, so that it cannot return as a second one.
set -eu
# There is no other standby now: wait for none.
psql --set ON_ERROR_STOP=1 --username postgres --dbname postgres <<'SQL'
alter system set synchronous_standby_names = '';
select pg_reload_conf();
select pg_promote(true, 60);
SQL
