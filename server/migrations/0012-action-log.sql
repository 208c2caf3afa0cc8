-- The action log: who did what, before and after, chained by hashes. See docs/decisions/0042-action-log.md.

-- The head of the chain, and the last entry that was pruned. One row; its lock decides the order of the entries.
create table action_chain (
  "only" boolean primary key default true check ("only"),
  seq bigint not null default 0,
  hash text not null default repeat('0', 64),
  pruned_seq bigint not null default 0,
  pruned_hash text not null default repeat('0', 64)
);
insert into action_chain default values;

alter table admin_actions
  -- Numbers without gaps, from the chain: a sequence also counts what was rolled back.
  alter column id drop identity,
  -- Null for the command line.
  alter column ip drop not null,
  -- As it was then: teams are renamed and deleted.
  add column actor_name text,
  -- Such as `PUT /api/v2/admin/challs/:id` or `pennant admin create`.
  add column route text,
  -- json keeps its text, which is what the hash covers. Secrets are replaced before they get here.
  add column before json,
  add column after json,
  add column request_id text,
  -- The entry that this one takes back.
  add column undoes bigint,
  add column previous_hash text,
  add column hash text;

create function chain_field(value text) returns text language sql immutable as $$
  select case when value is null then '-;' else octet_length(convert_to(value, 'UTF8')) || ':' || value || ';' end
$$;

-- docs/reference/actions.md#hash-of-an-entry
create function action_hash(entry admin_actions) returns text language sql stable as $$
  select encode(sha256(convert_to(
    chain_field(entry.previous_hash) || chain_field(entry.id::text)
    || chain_field(to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
    || chain_field(entry.actor_id) || chain_field(entry.actor_name) || chain_field(entry.action)
    || chain_field(entry.route) || chain_field(entry.target) || chain_field(to_json(entry.keys)::text)
    || chain_field(entry.before::text) || chain_field(entry.after::text)
    || chain_field(entry.ip) || chain_field(entry.request_id) || chain_field(entry.undoes::text), 'UTF8')), 'hex')
$$;

create function chain_action() returns trigger language plpgsql as $$
begin
  -- Held until the commit, so the order of the entries is the order of the commits.
  select seq + 1, hash into strict new.id, new.previous_hash from action_chain for update;
  new.hash := action_hash(new);
  update action_chain set seq = new.id, hash = new.hash;
  return new;
end $$;

do $$
declare
  entry admin_actions;
  number bigint := 0;
  head text := repeat('0', 64);
begin
  -- Numbers only become smaller, so none is taken twice.
  for entry in select * from admin_actions order by id loop
    number := number + 1;
    update admin_actions set id = number, previous_hash = head,
      actor_name = (select name from teams where teams.id = admin_actions.actor_id)
      where id = entry.id returning * into entry;
    head := action_hash(entry);
    update admin_actions set hash = head where id = number;
  end loop;
  update action_chain set seq = number, hash = head;
end $$;

alter table admin_actions alter column previous_hash set not null, alter column hash set not null;

create trigger admin_actions_chain before insert on admin_actions
  for each row execute function chain_action();

create index admin_actions_target on admin_actions using gin (string_to_array(target, ' '));
create index admin_actions_actor on admin_actions (actor_id, id);
create unique index admin_actions_undoes on admin_actions (undoes, id) where undoes is not null;
