-- Cases of fair play: docs/reference/fair-play.md#cases

create table fair_play_cases (
  id text primary key,
  number integer generated always as identity unique,
  version integer not null default 1,
  assignee_id text references teams (id) on delete set null,
  created_by text,
  created_at timestamptz not null default clock_timestamp(),
  -- Null while it is open.
  decision text check (decision in ('explained', 'watched', 'solveRemoved', 'banned', 'dismissed')),
  reason text,
  decided_by text,
  decided_at timestamptz,
  -- What the decision did, so that it can be undone: ids of teams, and solves as they were.
  done jsonb
);
create index fair_play_cases_assignee on fair_play_cases (assignee_id) where assignee_id is not null;

create table fair_play_case_teams (
  case_id text not null references fair_play_cases (id) on delete cascade,
  team_id text not null references teams (id) on delete cascade,
  -- The messages with the team, which are a private thread.
  thread_id text references message_threads (id) on delete set null,
  -- The decision is about this team, which therefore sees it.
  concerned boolean not null default false,
  -- Its one appeal, and the answer. The time stays when the texts are erased.
  appeal text,
  appealed_at timestamptz,
  ruling text,
  ruled_at timestamptz,
  primary key (case_id, team_id)
);
create index fair_play_case_teams_team on fair_play_case_teams (team_id);
create index fair_play_case_teams_thread on fair_play_case_teams (thread_id) where thread_id is not null;

create table fair_play_notes (
  id bigint generated always as identity primary key,
  case_id text not null references fair_play_cases (id) on delete cascade,
  author_id text,
  content text not null,
  at timestamptz not null default clock_timestamp()
);
create index fair_play_notes_case on fair_play_notes (case_id, id);
