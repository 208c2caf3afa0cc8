-- Texts of the organisers to the players: docs/decisions/0037-announcements.md
create table announcements (
  id text primary key,
  title text not null,
  content text not null,
  severity text not null check (severity in ('info', 'warning', 'critical')),
  -- As in the API: {"kind": "all"}, {"kind": "division", "division": …} and so on.
  audience jsonb not null,
  pinned boolean not null,
  forward boolean not null,
  -- When its messages to the messengers were queued; never again after that.
  forwarded_at timestamptz,
  publish_at timestamptz not null,
  version integer not null default 1,
  created_by text,
  created_at timestamptz not null default clock_timestamp(),
  -- The last edit after the publication.
  edited_at timestamptz
);

-- Versions that an edit replaced.
create table announcement_versions (
  announcement_id text not null references announcements (id) on delete cascade,
  version integer not null,
  data jsonb not null,
  replaced_at timestamptz not null,
  replaced_by text,
  primary key (announcement_id, version)
);
