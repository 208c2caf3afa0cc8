-- Pushes of scores that have no entry in the action log yet, for each challenge and sender: a feed may push every second,
-- and gets one entry for each interval. Written in the transaction of the push.
create table unlogged_pushes (
  challenge_id text not null references challenges (id) on delete cascade,
  ip text not null,
  -- Of the last entry.
  logged_at timestamptz not null,
  pushes integer not null,
  inserted integer not null,
  updated integer not null,
  deleted integer not null,
  primary key (challenge_id, ip)
);
