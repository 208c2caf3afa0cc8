-- The admin bot: jobs, what they wrote, and the sources that they run.

-- Inputs are checked in the order in which the author wrote them, and jsonb would sort them.
alter table challenges alter column admin_bot_config type json using admin_bot_config::json;

-- Every source that a challenge has had: a job that waited runs the revision that it was queued with.
create table admin_bot_sources (
  challenge_id text not null references challenges (id) on delete cascade,
  revision text not null,
  code text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (challenge_id, revision)
);

-- In the transaction of the edit, whoever makes it.
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

insert into admin_bot_sources (challenge_id, revision, code)
select id, admin_bot_config ->> 'revision', admin_bot_config ->> 'code' from challenges
where admin_bot_config ->> 'revision' is not null and admin_bot_config ->> 'code' is not null;

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
  updated_at timestamptz not null
);
-- Decides between submissions at once.
create unique index admin_bot_jobs_active on admin_bot_jobs (team_id, challenge_id)
  where status in ('queued', 'running');
create index admin_bot_jobs_queue on admin_bot_jobs (seq) where status = 'queued';
create index admin_bot_jobs_running on admin_bot_jobs (updated_at) where status = 'running';
create index admin_bot_jobs_history on admin_bot_jobs (team_id, challenge_id, seq);
create index admin_bot_jobs_challenge on admin_bot_jobs (challenge_id);

-- Beside the jobs, so that scans of the queue stay narrow.
create table admin_bot_logs (
  job_id text primary key references admin_bot_jobs (id) on delete cascade,
  logs text not null
);
