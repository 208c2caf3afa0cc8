-- What the processes of a deployment share: settings, the change log, the outbox, leases and short-lived keys.

-- Overrides of the configuration that admins make while the server runs. One row.
create table settings (
  singleton boolean primary key default true check (singleton),
  data jsonb not null default '{}',
  version integer not null default 1,
  updated_at timestamptz not null default clock_timestamp(),
  updated_by text
);
insert into settings default values;

create table settings_history (
  id bigint generated always as identity primary key,
  -- Version of the settings that the change created.
  version integer not null,
  key text not null,
  -- Null if the value of the configuration file was in force.
  old_value jsonb,
  changed_by text not null,
  changed_at timestamptz not null default clock_timestamp()
);

-- Audit log of admin actions. Each row is inserted in the transaction of its action.
create table admin_actions (
  id bigint generated always as identity primary key,
  actor_id text,
  action text not null,
  target text,
  keys text[] not null default '{}',
  ip text not null,
  at timestamptz not null default clock_timestamp()
);

-- Properties of this deployment. One row.
create table deployment (
  "only" boolean primary key default true check ("only"),
  -- Derived from the token key. The server refuses to start with another key.
  token_key_mark text not null
);

-- Mail and messages to send, inserted in the transaction that causes them.
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

-- One-time markers and other short-lived keys, used when there is no Redis.
create table markers (
  key text primary key,
  value text not null,
  expires_at timestamptz not null
);
create index markers_expires_at on markers (expires_at);

-- Leader election for work that only one process does. Leases instead of session locks, because session locks do not
-- work behind transaction poolers.
create table leases (
  name text primary key,
  holder text not null,
  expires_at timestamptz not null
);

-- The change log: the only mechanism that keeps the memory of every process up to date.
create table changes (
  seq bigint generated always as identity primary key,
  kind text not null,
  ids text[] not null,
  at timestamptz not null default clock_timestamp()
);

-- The change lock: a transaction takes it before it gets a seq and keeps it until it commits, so the order of seq is
-- the order of commits.
create function changes_lock() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7233021, 1);
  return null;
end $$;

create trigger changes_in_commit_order before insert on changes
  for each statement execute function changes_lock();
