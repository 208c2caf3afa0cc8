-- Pages of the organisers, such as rules and privacy: docs/reference/pages.md
create table pages (
  id text primary key,
  slug text not null unique,
  place text not null check (place in ('none', 'menu', 'footer')),
  position integer not null,
  published boolean not null,
  must_accept boolean not null,
  -- The earliest version that counts as accepted. Stays while the page need not be accepted.
  accept_version integer,
  -- [{"language", "title", "content"}, …]; the first is the default.
  texts jsonb not null,
  version integer not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  edited_at timestamptz not null default clock_timestamp()
);

-- Every version, including the current one.
create table page_versions (
  page_id text not null references pages (id) on delete cascade,
  version integer not null,
  data jsonb not null,
  saved_at timestamptz not null,
  saved_by text,
  primary key (page_id, version)
);

-- Which version a team accepted, and when.
create table page_acceptances (
  team_id text not null references teams (id) on delete cascade,
  page_id text not null references pages (id) on delete cascade,
  version integer not null,
  -- The person of the team who accepted it.
  person_id text references persons (id) on delete set null,
  accepted_at timestamptz not null default clock_timestamp(),
  primary key (team_id, page_id, version)
);
create index page_acceptances_page on page_acceptances (page_id);
