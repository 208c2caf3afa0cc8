-- People, who play in teams and organise. See docs/decisions/0047-add-people-beside-teams.md.
create table persons (
  id text primary key,
  name text not null,
  -- Proved, in lower case. Null for people who have another way to sign in.
  email text,
  team_id text references teams (id) on delete set null,
  is_captain boolean not null default false,
  joined_at timestamptz,
  -- Permissions of the team that the person may use; null for all.
  perms integer,
  -- Sessions that began before this instant are void. Null if none are.
  sessions_valid_from timestamptz,
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  constraint persons_captain check (team_id is not null or not is_captain)
);
create unique index persons_email_key on persons (email);
create unique index persons_captain_key on persons (team_id) where is_captain;
create index persons_of_team on persons (team_id, joined_at);

-- A team that is deleted leaves its captain without a team, which the check above would refuse.
create function leave_team() returns trigger language plpgsql as $$
begin
  if new.team_id is null then
    new.is_captain := false;
    new.joined_at := null;
    new.perms := null;
  end if;
  return new;
end $$;

create trigger persons_leave_team before update of team_id on persons
  for each row execute function leave_team();

-- One for each browser in which a person signed in. Processes keep only the ended ones in memory: the token says the rest.
create table person_sessions (
  id text primary key,
  person_id text not null references persons (id) on delete cascade,
  -- How the person signed in, such as `mail` or `passkey`.
  methods text[] not null,
  -- As the browser names itself, cut.
  browser text not null default '',
  ip text,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index person_sessions_of_person on person_sessions (person_id, created_at);
create index person_sessions_ended on person_sessions (expires_at) where ended_at is not null;

alter table teams
  -- For the link that people join by; null for a team that no one can join.
  add column join_code text,
  -- The token of the team itself is refused. People of the team still sign in.
  add column token_off boolean not null default false;
-- short lock: no row has a code yet
create unique index teams_join_code_key on teams (join_code);

-- Which person of the organisers' team it was.
alter table admin_actions add column person_id text, add column person_name text;

-- Entries without a person keep their hash. docs/reference/actions.md#hash-of-an-entry
create or replace function action_hash(entry admin_actions) returns text language sql stable as $$
  select encode(sha256(convert_to(
    chain_field(entry.previous_hash) || chain_field(entry.id::text)
    || chain_field(to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
    || chain_field(entry.actor_id) || chain_field(entry.actor_name) || chain_field(entry.action)
    || chain_field(entry.route) || chain_field(entry.target) || chain_field(to_json(entry.keys)::text)
    || chain_field(entry.before::text) || chain_field(entry.after::text)
    || chain_field(entry.ip) || chain_field(entry.request_id) || chain_field(entry.undoes::text)
    || case when entry.person_id is null then ''
      else chain_field(entry.person_id) || chain_field(entry.person_name) end, 'UTF8')), 'hex')
$$;
