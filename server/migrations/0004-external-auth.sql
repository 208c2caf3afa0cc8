-- Sites that let their visitors sign in with a team of this contest.
create table external_auth_clients (
  id text primary key,
  name text not null,
  -- As it was given: compared byte for byte.
  redirect_uri text not null,
  -- SHA-256 of 32 random bytes: nothing to guess, so nothing slower is needed.
  secret_hash bytea not null,
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  created_by text references teams (id) on delete set null
);
create index external_auth_clients_created_by on external_auth_clients (created_by);
