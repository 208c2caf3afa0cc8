-- Answers to fields of the organisers: docs/reference/fields.md. The definitions are settings.
create table field_answers (
  team_id text references teams (id) on delete cascade,
  person_id text references persons (id) on delete cascade,
  field text not null,
  -- The accepted version of a consent, of which every one stays; 0 for others.
  version integer not null default 0,
  value text not null,
  -- Who answered, if a person did.
  answered_by text references persons (id) on delete set null,
  answered_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  constraint field_answers_owner check ((team_id is null) <> (person_id is null))
);
create unique index field_answers_team on field_answers (team_id, field, version) where team_id is not null;
create unique index field_answers_person on field_answers (person_id, field, version) where person_id is not null;
create index field_answers_field on field_answers (field);
create index field_answers_answered_by on field_answers (answered_by) where answered_by is not null;

-- Decisions of organisers about the eligibility of a team, which replace that of the rule.
create table eligibility_decisions (
  team_id text not null references teams (id) on delete cascade,
  rule text not null,
  result text not null check (result in ('eligible', 'not')),
  reason text not null,
  decided_by text,
  decided_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  primary key (team_id, rule)
);

-- Answers of teams that do not exist yet, by field.
alter table pending_registrations add column fields jsonb;
alter table registration_requests add column fields jsonb;
