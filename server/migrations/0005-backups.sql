-- Complete backups, newest last, so that every process knows the age of the last good one. Each backup keeps the newest hundred
-- rows.
create table backups (
  id bigint generated always as identity primary key,
  -- Time of the snapshot.
  snapshot_at timestamptz not null,
  bytes bigint not null,
  path text not null
);
