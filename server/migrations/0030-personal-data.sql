-- Personal data that is erased: docs/decisions/0048-erase-personal-data-by-one-list.md
alter table teams
  -- The team deleted itself after it had solves. Its row stays for the standings, with no personal data.
  add column erased_at timestamptz;

-- One row for each retention date that has passed. Each batch adds its rows to the counts.
create table retention_runs (
  due_at timestamptz primary key,
  -- Table to number of rows.
  counts jsonb not null default '{}',
  started_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz
);

alter table admin_actions
  -- Field to random text, for each field that can be erased. The digest of an address or a name alone could be guessed.
  add column salts jsonb,
  -- Field to digest, as text that the hash covers. Null in entries of older versions, whose hash covers the fields themselves.
  add column digests text,
  -- Of the last field that was erased.
  add column erased_at timestamptz;

create function action_digest(salts jsonb, field text, value text) returns text language sql immutable as $$
  select case when value is not null then
    encode(sha256(convert_to(chain_field(salts ->> field) || chain_field(value), 'UTF8')), 'hex') end
$$;

create function action_digests(entry admin_actions) returns text language sql stable as $$
  select json_strip_nulls(json_build_object(
    'actor_name', action_digest(entry.salts, 'actor_name', entry.actor_name),
    'before', action_digest(entry.salts, 'before', entry.before::text),
    'after', action_digest(entry.salts, 'after', entry.after::text),
    'ip', action_digest(entry.salts, 'ip', entry.ip),
    'person_name', action_digest(entry.salts, 'person_name', entry.person_name),
    'api_token_name', action_digest(entry.salts, 'api_token_name', entry.api_token_name)))::text
$$;

-- Entries without digests keep their hash. docs/reference/actions.md#hash-of-an-entry
create or replace function action_hash(entry admin_actions) returns text language sql stable as $$
  select encode(sha256(convert_to(case when entry.digests is null then
    chain_field(entry.previous_hash) || chain_field(entry.id::text)
    || chain_field(to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
    || chain_field(entry.actor_id) || chain_field(entry.actor_name) || chain_field(entry.action)
    || chain_field(entry.route) || chain_field(entry.target) || chain_field(to_json(entry.keys)::text)
    || chain_field(entry.before::text) || chain_field(entry.after::text)
    || chain_field(entry.ip) || chain_field(entry.request_id) || chain_field(entry.undoes::text)
    || case when entry.person_id is null then ''
      else chain_field(entry.person_id) || chain_field(entry.person_name) end
    || case when entry.api_token_id is null then ''
      else chain_field('API token') || chain_field(entry.api_token_id) || chain_field(entry.api_token_name) end
  else
    chain_field(entry.previous_hash) || chain_field(entry.id::text)
    || chain_field(to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
    || chain_field(entry.actor_id) || chain_field(entry.action)
    || chain_field(entry.route) || chain_field(entry.target) || chain_field(to_json(entry.keys)::text)
    || chain_field(entry.request_id) || chain_field(entry.undoes::text)
    || chain_field(entry.person_id) || chain_field(entry.api_token_id) || chain_field(entry.digests)
  end, 'UTF8')), 'hex')
$$;

create or replace function chain_action() returns trigger language plpgsql as $$
begin
  -- Held until the commit, so the order of the entries is the order of the commits.
  select seq + 1, hash into strict new.id, new.previous_hash from action_chain for update;
  new.salts := json_build_object(
    'actor_name', gen_random_uuid(), 'before', gen_random_uuid(), 'after', gen_random_uuid(),
    'ip', gen_random_uuid(), 'person_name', gen_random_uuid(), 'api_token_name', gen_random_uuid());
  new.digests := action_digests(new);
  new.hash := action_hash(new);
  update action_chain set seq = new.id, hash = new.hash;
  return new;
end $$;
