-- The last trial of each challenge in which a flag was accepted: docs/reference/administration.md#trying-flags
create table flag_trials (
  challenge_id text primary key references challenges (id) on delete cascade,
  -- Of the flags that were tried. Other edits of the challenge do not invalidate the trial.
  flags_hash text not null,
  tried_at timestamptz not null
);
