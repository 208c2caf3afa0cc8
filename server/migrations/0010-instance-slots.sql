-- Who has, or is about to have, an instance: so that limits hold between processes. What state an instance is in, only
-- its engine knows. Rows outlive their team and challenge until the instance is gone, hence no references.

create table instance_slots (
  instancer text not null,
  team_id text not null,
  integration_id text not null,
  challenge_id text not null,
  claimed_at timestamptz not null,
  -- When the instance is over, with some room; extending moves it.
  ends_at timestamptz not null,
  primary key (instancer, team_id, integration_id)
);

create index instance_slots_of_team on instance_slots (team_id);
create index instance_slots_over on instance_slots (ends_at);
