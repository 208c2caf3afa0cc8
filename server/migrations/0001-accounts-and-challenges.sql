-- Teams and how they sign in, and the challenges. Unique constraints decide races between requests; see
-- docs/decisions/0004-group-commit-and-the-change-lock.md.

create table teams (
  id text primary key,
  -- Small integer key for the binary copies that load the contest into memory.
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
  -- Tokens of the team that were issued before this instant are void. Null for teams that never signed out everywhere:
  -- all their tokens are valid. Whole seconds, like the time of issue in a token; see docs/decisions/0021.
  tokens_valid_from timestamptz,
  constraint teams_sign_in check (email is not null or extrank_id is not null)
);
create unique index teams_name_key on teams (lower(name));
create unique index teams_email_key on teams (email);
create unique index teams_extrank_id_key on teams (extrank_id);

-- A team that gains or loses permissions must not keep the tokens it had before. The server sets the column itself;
-- the trigger covers updates by hand.
create function void_tokens_of_changed_perms() returns trigger language plpgsql as $$
begin
  if new.perms <> old.perms and new.tokens_valid_from is not distinct from old.tokens_valid_from then
    new.tokens_valid_from := greatest(
      date_trunc('second', clock_timestamp()) + interval '61 seconds',
      old.tokens_valid_from + interval '1 second'
    );
  end if;
  return new;
end $$;

create trigger teams_void_tokens before update of perms on teams
  for each row execute function void_tokens_of_changed_perms();

create table members (
  id text primary key,
  team_id text not null references teams (id) on delete cascade,
  email text not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint members_email_key unique (team_id, email)
);

-- Registrations whose verification mail has not been confirmed. The first admin's sign-in link is one with perms.
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

-- Sites that let their visitors sign in with a team of this contest.
create table external_auth_clients (
  id text primary key,
  name text not null,
  -- Exactly as entered: it is compared byte for byte.
  redirect_uri text not null,
  -- SHA-256 is enough: the secret is 32 random bytes, so a slow password hash would add nothing.
  secret_hash bytea not null,
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  created_by text references teams (id) on delete set null
);
create index external_auth_clients_created_by on external_auth_clients (created_by);

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
  -- json, because jsonb would sort the inputs, and they are checked in the order in which the author wrote them.
  admin_bot_config json,
  tags jsonb,
  -- Incremented by every edit.
  version integer not null default 1,
  created_at timestamptz not null default clock_timestamp()
);

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
