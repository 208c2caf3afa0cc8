-- The contest: teams, challenges, solves, feed scores, the audit, and the change log that keeps every
-- process's memory in step. Constraints decide races; see docs/decisions.

create table teams (
  id text primary key,
  -- Compact number of the team, for binary copies into memory.
  n integer generated always as identity unique,
  name text not null,
  email text,
  division text not null,
  perms integer not null default 0,
  banned boolean not null default false,
  extrank_id text,
  avatar_url text,
  country_code text,
  status_text text,
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  constraint teams_sign_in check (email is not null or extrank_id is not null)
);
create unique index teams_name_key on teams (lower(name));
create unique index teams_email_key on teams (email);
create unique index teams_extrank_id_key on teams (extrank_id);

create table members (
  id text primary key,
  team_id text not null references teams (id) on delete cascade,
  email text not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint members_email_key unique (team_id, email)
);

-- A registration that waits for its verification mail. The first admin's sign-in link is one with perms.
create table pending_registrations (
  id text primary key,
  email text not null,
  name text not null,
  division text not null,
  perms integer not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  constraint pending_registrations_email_key unique (email)
);
create index pending_registrations_expires_at on pending_registrations (expires_at);

create table challenges (
  id text primary key,
  n integer generated always as identity unique,
  name text not null default '',
  description text not null default '',
  category text not null default '',
  author text not null default '',
  -- [{provider, config}], in order.
  flags jsonb not null default '[]',
  -- [{name, url, size?}], in order.
  files jsonb not null default '[]',
  points_min integer not null default 0,
  points_max integer not null default 0,
  tiebreak_eligible boolean not null default true,
  sort_weight double precision,
  hidden boolean not null default false,
  release_at timestamptz,
  scoring_kind text not null default 'decay' check (scoring_kind in ('decay', 'static', 'dynamic')),
  scoring_secret text,
  instancer_config jsonb,
  admin_bot_config jsonb,
  tags jsonb,
  -- Counts the edits.
  version integer not null default 1,
  created_at timestamptz not null default clock_timestamp()
);

create table solves (
  id uuid primary key,
  challenge_id text not null references challenges (id) on delete cascade,
  team_id text not null references teams (id) on delete cascade,
  -- Taken under the change lock, so that it rises in commit order.
  created_at timestamptz not null,
  ip text not null,
  -- Recorded once, by the first standings that include the solve.
  global_place integer,
  division_place integer,
  constraint solves_once unique (challenge_id, team_id)
);
create index solves_team on solves (team_id);
create index solves_unplaced on solves (created_at) where global_place is null;

-- Points of a team on a dynamic challenge, as the last push left them.
create table feed_scores (
  challenge_id text not null references challenges (id) on delete cascade,
  team_id text not null references teams (id) on delete cascade,
  points integer not null,
  -- When the team first got a score other than zero here.
  scored_at timestamptz not null,
  -- The team's change in its latest push, and when that was.
  delta integer not null,
  tick_at timestamptz not null,
  primary key (challenge_id, team_id)
);
create index feed_scores_team on feed_scores (team_id);

-- History of the pushes, for the graph. All rows of one push share their time.
create table feed_events (
  id bigint generated always as identity primary key,
  challenge_id text not null references challenges (id) on delete cascade,
  team_id text not null references teams (id) on delete cascade,
  delta integer not null,
  at timestamptz not null
);
create index feed_events_challenge on feed_events (challenge_id, at);

-- The submission audit. No foreign keys: rows outlive everything.
create table submissions (
  id uuid primary key,
  kind text not null check (kind in ('flag', 'admin_bot')),
  challenge_id text not null,
  team_id text not null,
  ip text not null,
  result text not null check (result in ('correct', 'incorrect', 'already_solved', 'queued', 'active_job',
    'invalid_input', 'bad_instancer_state')),
  details jsonb not null,
  related_id text,
  created_at timestamptz not null
);
create index submissions_created_at on submissions (created_at desc, id desc);
create index submissions_challenge on submissions (challenge_id, created_at desc);
create index submissions_team on submissions (team_id, created_at desc);

-- Flags minted per team by flags/dynamic.
create table dynamic_flags (
  challenge_id text not null references challenges (id) on delete cascade,
  team_id text not null references teams (id) on delete cascade,
  base text not null,
  flag text not null,
  allow_duplicate boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  primary key (challenge_id, team_id, base)
);
create unique index dynamic_flags_flag on dynamic_flags (challenge_id, flag) where not allow_duplicate;
create index dynamic_flags_lookup on dynamic_flags (challenge_id, base, flag);

-- Runtime settings: overrides of the configuration, one row.
create table settings (
  singleton boolean primary key default true check (singleton),
  data jsonb not null default '{}',
  version integer not null default 1,
  updated_at timestamptz not null default clock_timestamp(),
  updated_by text
);
insert into settings default values;

-- What admins did, appended in the transaction of the deed.
create table admin_actions (
  id bigint generated always as identity primary key,
  actor_id text,
  action text not null,
  target text,
  keys text[] not null default '{}',
  ip text not null,
  at timestamptz not null default clock_timestamp()
);

-- Mail and messages on their way out, written in the transaction that causes them.
create table outbox (
  id uuid primary key,
  kind text not null,
  payload jsonb not null,
  attempts integer not null default 0,
  due_at timestamptz not null default clock_timestamp(),
  failed_at timestamptz,
  last_error text,
  created_at timestamptz not null default clock_timestamp()
);
create index outbox_due on outbox (due_at) where failed_at is null;

-- One-time markers and other short-lived keys, when there is no Redis.
create table markers (
  key text primary key,
  value text not null,
  expires_at timestamptz not null
);
create index markers_expires_at on markers (expires_at);

-- Who does what must be done once. A lease, not a session lock: it works behind transaction poolers.
create table leases (
  name text primary key,
  holder text not null,
  expires_at timestamptz not null
);

-- The only invalidation mechanism. The trigger makes the order of seq the order of commits.
create table changes (
  seq bigint generated always as identity primary key,
  kind text not null,
  ids text[] not null,
  at timestamptz not null default clock_timestamp()
);

create function changes_lock() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7233021, 1);
  return null;
end $$;

create trigger changes_in_commit_order before insert on changes
  for each statement execute function changes_lock();
