-- Hints of challenges, and which team bought which: docs/decisions/0039-hints.md
create table hints (
  id text primary key,
  challenge_id text not null references challenges (id) on delete cascade,
  -- Ascending; ties by id.
  position integer not null,
  content text not null,
  -- Whole points; 0 for a free hint.
  price integer not null default 0 check (price >= 0),
  -- `manual`: an organiser releases it. `time`: at `release_at`. `after`: `release_minutes` after its challenge.
  release_kind text not null check (release_kind in ('manual', 'time', 'after')),
  -- Of `manual`: when it was released, null until then.
  release_at timestamptz check (release_at is not null or release_kind <> 'time'),
  release_minutes integer check (release_minutes >= 0 and (release_minutes is not null) = (release_kind = 'after')),
  version integer not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  check (release_kind <> 'after' or (release_at is null and release_minutes is not null))
);
create index hints_challenge on hints (challenge_id, position);

-- Only hints with a price are bought. The row stays if an organiser undoes the adjustment, because the team has read the text.
create table hint_purchases (
  hint_id text not null references hints (id) on delete cascade,
  team_id text not null references teams (id) on delete cascade,
  -- What the team paid, whatever the hint costs now.
  price integer not null check (price > 0),
  at timestamptz not null,
  -- Of the kind `hint`, with the negative price as its points.
  adjustment_id text not null unique references score_adjustments (id) on delete cascade,
  primary key (hint_id, team_id)
);
create index hint_purchases_team on hint_purchases (team_id);
