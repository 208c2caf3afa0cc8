-- What organisers post on the status page. The newest update is first in the list and has the current state.
create table incidents (
  id text primary key,
  title text not null,
  severity text not null check (severity in ('notice', 'minor', 'major')),
  components text[] not null,
  -- [{at, state, text}], `at` in Unix milliseconds.
  updates jsonb not null,
  started_at timestamptz not null,
  resolved_at timestamptz
);
create index incidents_started on incidents (started_at);
