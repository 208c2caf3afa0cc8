-- Second factor of organisers: docs/reference/people.md#second-factor
create table recovery_codes (
  -- SHA-256 of the code. A used code is deleted.
  hash bytea primary key,
  person_id text not null references persons (id) on delete cascade,
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp())
);
create index recovery_codes_of_person on recovery_codes (person_id);

-- Made in a session with a second factor. Other tokens lack permissions that need one.
alter table api_tokens add column second_factor boolean not null default false;
