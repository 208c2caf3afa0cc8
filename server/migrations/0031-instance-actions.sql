-- Who of a team started, extended and stopped its instances. A slot is deleted with its instance, so it cannot say who stopped it.
-- No reference to persons, as in 0024: what was done outlives the person, whose id names no one then.
create table instance_actions (
  id bigint generated always as identity primary key,
  team_id text not null references teams (id) on delete cascade,
  challenge_id text not null,
  action text not null check (action in ('start', 'extend', 'stop')),
  -- Null for the team's own token.
  person_id text,
  at timestamptz not null
);
create index instance_actions_of_team on instance_actions (team_id, id);
