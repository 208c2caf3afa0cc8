-- Team names that differ only in the number of spaces between words are the same name. Teams that already share a name
-- in this way keep it: the first one has the number 0, like every new or renamed team, and the others count up.
alter table teams add column namesake integer not null default 0;

update teams set namesake = numbered.namesake
from (
  select id, row_number() over (partition by lower(regexp_replace(name, ' +', ' ', 'g')) order by created_at, n) - 1
    as namesake
  from teams
) as numbered
where numbered.id = teams.id and numbered.namesake > 0;

-- Stays unique: otherwise a team could take exactly the name of one that counts up. The index of the new rule gets the
-- constraint name that the previous version reports as a taken name.
alter index teams_name_key rename to teams_name_case_key;
create unique index teams_name_key on teams (lower(regexp_replace(name, ' +', ' ', 'g')), namesake);

create function clear_namesake() returns trigger language plpgsql as $$
begin
  new.namesake := 0;
  return new;
end $$;

create trigger teams_renamed before update of name on teams
  for each row when (new.name is distinct from old.name) execute function clear_namesake();
