-- Points that organisers award or deduct: docs/decisions/0038-score-adjustments.md
create table score_adjustments (
  id text primary key,
  team_id text not null references teams (id) on delete cascade,
  points integer not null check (points <> 0),
  -- Players see it.
  reason text not null,
  -- `manual`: by an organiser. `hint`: the price of a hint.
  kind text not null default 'manual' check (kind in ('manual', 'hint')),
  at timestamptz not null default clock_timestamp(),
  created_by text,
  -- An undone adjustment stays for the record and counts nowhere.
  undone_at timestamptz,
  undone_by text
);
create index score_adjustments_team on score_adjustments (team_id, at);
create index score_adjustments_at on score_adjustments (at);
