-- Groups of challenges that are released together: docs/decisions/0040-waves-and-prerequisites.md
create table waves (
  id text primary key,
  name text not null unique,
  -- Null: not scheduled.
  open_at timestamptz,
  announce boolean not null,
  forward boolean not null,
  countdown boolean not null,
  -- Of the announcement; null for the default.
  title text,
  content text,
  -- Set in the transaction that announces the opening, so that this happens once.
  announced_at timestamptz,
  announcement_id text references announcements (id) on delete set null,
  version integer not null default 1,
  created_by text,
  created_at timestamptz not null default clock_timestamp()
);

-- While it is in a wave, release_at of a challenge is the time of the wave.
alter table challenges add column wave_id text references waves (id) on delete set null;
create index challenges_wave on challenges (wave_id) where wave_id is not null;

-- The last check of each wave before it opens.
create table wave_checks (
  wave_id text primary key references waves (id) on delete cascade,
  run_id text not null,
  started_at timestamptz not null,
  -- A run that has not written for a while has died.
  alive_at timestamptz not null,
  finished_at timestamptz,
  results jsonb not null default '[]'
);

-- Ids of challenges that a team must have solved; in the order of the author.
alter table challenges add column prerequisites jsonb not null default '[]';
-- Whether teams that have not solved them see its name.
alter table challenges add column locked_shown boolean not null default false;
