-- What the lists of organisers read, and what settings were before.

-- Equal results together, newest first: filters and orders by result, and by kind, which follows from the result. New
-- rows go to the ends of seven runs, so that a submission pays for a page that is in memory anyway.
create index submissions_result on submissions (result, created_at desc);

-- Equal addresses together. Alone, because equal keys then share one entry, and the index stays a sixth of the size.
create index submissions_ip on submissions (ip);

create table settings_history (
  id bigint generated always as identity primary key,
  -- Version of the settings that the change made.
  version integer not null,
  key text not null,
  -- Null when the deployment's value was in force.
  old_value jsonb,
  changed_by text not null,
  changed_at timestamptz not null default clock_timestamp()
);
