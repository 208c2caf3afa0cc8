-- Fair play: docs/reference/fair-play.md

-- When a team first received a challenge, in the list or over the stream. Without references: the rows are written in batches, and
-- one of a deleted team must not fail the others. The worker deletes those.
create table challenge_receipts (
  team_id text not null,
  challenge_id text not null,
  at timestamptz not null,
  primary key (team_id, challenge_id)
);

-- One row.
create table fair_play (
  id boolean primary key default true check (id),
  -- What organisers changed.
  thresholds jsonb not null default '{}',
  version integer not null default 0,
  -- Since when receipts are written.
  receipts_since timestamptz not null default clock_timestamp(),
  computed_at timestamptz,
  -- Rows that the computation read, and whether some were left out.
  summary jsonb
);
insert into fair_play default values;

-- Flags that open nothing and that only copying finds.
create table fair_play_decoys (
  id text primary key,
  flag text not null unique,
  place text not null,
  created_at timestamptz not null default clock_timestamp()
);

-- What the worker computed last.
create table fair_play_signals (
  id text primary key,
  kind text not null,
  team_ids text[] not null,
  challenge_id text,
  at timestamptz not null,
  submission_ids text[] not null,
  evidence jsonb not null
);
create index fair_play_signals_at on fair_play_signals (at desc, id);
create index fair_play_signals_teams on fair_play_signals using gin (team_ids);
