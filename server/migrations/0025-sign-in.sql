-- Ways in which people sign in. See docs/reference/people.md#sign-in.
alter table persons
  -- Issue time of the personal link that works; null for none.
  add column personal_link_from timestamptz;

-- Accounts at OpenID providers. The address there is never an identity.
create table person_identities (
  issuer text not null,
  subject text not null,
  person_id text not null references persons (id) on delete cascade,
  -- As the provider names the account, for the person to recognise it.
  label text not null default '',
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  last_used_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  primary key (issuer, subject)
);
create index person_identities_of_person on person_identities (person_id);

create table passkeys (
  -- Credential id in base64url.
  id text primary key,
  person_id text not null references persons (id) on delete cascade,
  name text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  last_used_at timestamptz
);
create index passkeys_of_person on passkeys (person_id);
