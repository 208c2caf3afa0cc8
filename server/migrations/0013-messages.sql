-- Private messages between teams and organisers: docs/decisions/0043-messages.md
create table message_threads (
  id text primary key,
  team_id text not null references teams (id) on delete cascade,
  challenge_id text references challenges (id) on delete set null,
  subject text not null,
  closed boolean not null default false,
  assignee_id text references teams (id) on delete set null,
  -- Of messages in the thread. Messages are numbered from 1.
  message_count integer not null default 0,
  -- Number of the last message that the team has read.
  team_read integer not null default 0,
  -- Whether the latest message is from the organisers.
  answered boolean not null default false,
  -- Increases with each change, including new messages.
  version integer not null default 1,
  created_at timestamptz not null,
  last_message_at timestamptz not null
);
create index message_threads_of_team on message_threads (team_id, last_message_at desc);
create index message_threads_queue on message_threads (closed, answered, last_message_at);
create index message_threads_of_challenge on message_threads (challenge_id) where challenge_id is not null;
create index message_threads_of_assignee on message_threads (assignee_id) where assignee_id is not null;

create table thread_messages (
  thread_id text not null references message_threads (id) on delete cascade,
  number integer not null,
  from_team boolean not null,
  -- The organiser who wrote it.
  author_id text references teams (id) on delete set null,
  content text not null,
  created_at timestamptz not null,
  primary key (thread_id, number)
);
create index thread_messages_of_author on thread_messages (author_id) where author_id is not null;

-- One row.
create table message_options (
  singleton boolean primary key default true check (singleton),
  enabled boolean not null default true,
  before_start boolean not null default true,
  after_end boolean not null default true,
  -- Canned answers: a list of {"title", "content"}.
  answers jsonb not null default '[]',
  version integer not null default 1
);
insert into message_options default values;
