-- Registration by code, by approval and with a waiting list: docs/operate/registration.md

create table registration_codes (
  id text primary key,
  -- In plain, because organisers print it again. Found by its hash, so that the time of a look-up says nothing of it.
  code text not null,
  code_hash bytea not null unique,
  label text not null default '',
  -- Null: the division of the address.
  division text,
  max_uses integer not null check (max_uses > 0),
  -- Teams, and requests that wait for a place, that have it.
  uses integer not null default 0,
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp())
);

-- Teams that do not exist yet. Nothing but the queue of organisers and the applicant's own page reads them.
create table registration_requests (
  id text primary key,
  -- The order of the queue.
  n bigint generated always as identity unique,
  name text not null,
  email text,
  division text not null,
  extrank_id text,
  code_id text references registration_codes (id) on delete set null,
  waits_for text not null check (waits_for in ('approval', 'place')),
  state text not null default 'waiting' check (state in ('waiting', 'approved', 'refused')),
  -- Of a refusal, for the applicant.
  reason text,
  -- Of the applicant's link. Null once it has signed in.
  token_hash bytea unique,
  team_id text references teams (id) on delete cascade,
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  decided_at timestamptz
);
create index registration_requests_waiting on registration_requests (waits_for, n) where state = 'waiting';
create index registration_requests_team on registration_requests (team_id);
create index registration_requests_code on registration_requests (code_id);
create index registration_requests_decided on registration_requests (decided_at) where state <> 'waiting';

-- The code of a registration whose address is not verified yet; it is used up when the team is made.
alter table pending_registrations add column code_id text references registration_codes (id) on delete set null;
-- short lock: registrations expire after an hour
create index pending_registrations_code on pending_registrations (code_id);

-- A team whose code has a division stays in it.
alter table teams add column registration_code_id text references registration_codes (id) on delete set null;
-- short lock: teams are at most some thousands, and none has a code yet
create index teams_registration_code on teams (registration_code_id) where registration_code_id is not null;
