-- The queue of the admin bot, and the capacity slots of instances.

-- Every source that a challenge has had, because a queued job runs the revision that it was submitted with.
create table admin_bot_sources (
  challenge_id text not null references challenges (id) on delete cascade,
  revision text not null,
  code text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (challenge_id, revision)
);

-- A trigger, so that every edit keeps its source in the same transaction, edits by hand included.
create function keep_admin_bot_source() returns trigger language plpgsql as $$
begin
  insert into admin_bot_sources (challenge_id, revision, code)
  values (new.id, new.admin_bot_config ->> 'revision', new.admin_bot_config ->> 'code')
  on conflict do nothing;
  return null;
end $$;

create trigger challenges_keep_admin_bot_source after insert or update of admin_bot_config on challenges
  for each row when (new.admin_bot_config ->> 'revision' is not null and new.admin_bot_config ->> 'code' is not null)
  execute function keep_admin_bot_source();

create table admin_bot_jobs (
  id text primary key,
  -- The order of the queue.
  seq bigint generated always as identity,
  challenge_id text not null references challenges (id) on delete cascade,
  team_id text not null references teams (id) on delete cascade,
  status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed')),
  config_revision text not null,
  -- [{provider, flag}], in order.
  flags json not null,
  inputs json not null,
  -- [{type, host, port, title?}], in order.
  instancer_instances json not null,
  timeout_ms integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- A bot that renews its lease keeps the job; if the bot dies, the job returns to the queue. Null for a bot that asked
  -- for no lease: its job fails after four times its time limit.
  lease_token text,
  lease_ends_at timestamptz,
  -- Start of the current attempt. Renewing the lease changes updated_at, not this.
  pulled_at timestamptz,
  attempts integer not null default 0
);
-- Decides between concurrent submissions of a team.
create unique index admin_bot_jobs_active on admin_bot_jobs (team_id, challenge_id)
  where status in ('queued', 'running');
create index admin_bot_jobs_queue on admin_bot_jobs (seq) where status = 'queued';
create index admin_bot_jobs_running on admin_bot_jobs (updated_at) where status = 'running';
create index admin_bot_jobs_leased on admin_bot_jobs (lease_ends_at)
  where status = 'running' and lease_token is not null;
create index admin_bot_jobs_history on admin_bot_jobs (team_id, challenge_id, seq);
create index admin_bot_jobs_challenge on admin_bot_jobs (challenge_id);

-- Separate from the jobs, so that scans of the queue read narrow rows.
create table admin_bot_logs (
  job_id text primary key references admin_bot_jobs (id) on delete cascade,
  logs text not null
);

-- Who has an instance or is about to start one, so that limits hold across processes. The state of an instance is known
-- only to its engine. No references, because a slot must outlive its team and challenge until the instance is gone.
create table instance_slots (
  instancer text not null,
  team_id text not null,
  integration_id text not null,
  challenge_id text not null,
  claimed_at timestamptz not null,
  -- When the instance expires, plus a margin. Extending the instance changes it.
  ends_at timestamptz not null,
  -- A slot is deleted only after the engine confirms that its instance is gone and no start can still create it. So a
  -- slot records which start owns it, until when that start may be in flight, and since when a stop is.
  start_id uuid not null default gen_random_uuid(),
  -- The default covers slots that are inserted without a deadline.
  starting_until timestamptz default now() + interval '2 minutes',
  -- Set after a call whose outcome is unknown: until then the engine may still create the instance.
  uncertain_until timestamptz,
  stopping_since timestamptz,
  -- Where the engine last listed the instance; null while unknown.
  host text,
  primary key (instancer, team_id, integration_id)
);
create index instance_slots_of_team on instance_slots (team_id);
create index instance_slots_over on instance_slots (ends_at);
