-- Tokens for programs, of a person or of the team itself: docs/reference/api-tokens.md
create table api_tokens (
  id text primary key,
  team_id text not null references teams (id) on delete cascade,
  -- Null for a token of the team itself.
  person_id text references persons (id) on delete cascade,
  name text not null,
  -- SHA-256 of the token.
  hash bytea not null,
  scopes text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  last_used_ip text
);
create unique index api_tokens_hash_key on api_tokens (hash);
create index api_tokens_of_team on api_tokens (team_id, created_at);
create index api_tokens_of_person on api_tokens (person_id);

-- Clients of external-auth that were deleted together with the tokens that they had obtained.
create table ended_external_auth_clients (
  id text primary key,
  ended_at timestamptz not null default clock_timestamp()
);

-- Which API token an organiser used.
alter table admin_actions add column api_token_id text, add column api_token_name text;

-- Entries without a token keep their hash. docs/reference/actions.md#hash-of-an-entry
create or replace function action_hash(entry admin_actions) returns text language sql stable as $$
  select encode(sha256(convert_to(
    chain_field(entry.previous_hash) || chain_field(entry.id::text)
    || chain_field(to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
    || chain_field(entry.actor_id) || chain_field(entry.actor_name) || chain_field(entry.action)
    || chain_field(entry.route) || chain_field(entry.target) || chain_field(to_json(entry.keys)::text)
    || chain_field(entry.before::text) || chain_field(entry.after::text)
    || chain_field(entry.ip) || chain_field(entry.request_id) || chain_field(entry.undoes::text)
    || case when entry.person_id is null then ''
      else chain_field(entry.person_id) || chain_field(entry.person_name) end
    || case when entry.api_token_id is null then ''
      else chain_field('API token') || chain_field(entry.api_token_id) || chain_field(entry.api_token_name) end,
    'UTF8')), 'hex')
$$;
