-- Mail of the organisers to teams and people. The mails wait in the outbox: docs/reference/mailings.md
create table mailings (
  id text primary key,
  subject text not null,
  content text not null,
  topic text not null check (topic in ('event', 'other')),
  addresses text not null check (addresses in ('teams', 'people', 'both')),
  count integer not null,
  stopped_at timestamptz,
  created_by text references teams (id) on delete set null,
  created_at timestamptz not null
);
create index mailings_created_at on mailings (created_at desc);
create index mailings_created_by on mailings (created_by) where created_by is not null;

-- Addresses that get no mail of the topic `other`, in lower case.
create table mail_opt_outs (
  address text primary key,
  at timestamptz not null
);

-- short lock: the outbox is empty except for what waits
create index outbox_mailing on outbox ((payload ->> 'mailing')) where kind = 'mailing';
