-- Whether someone said that the solves of a challenge break ties. Null: no one did, and it follows from the points, also
-- after they change. tiebreak_eligible stays the value that applies, for the standings and the previous version.
alter table challenges add column tiebreak_choice boolean;
alter table challenges alter column tiebreak_eligible drop default;

update challenges
set tiebreak_choice = tiebreak_eligible
where tiebreak_eligible <> (points_min <> 0 or points_max <> 0 or scoring_kind = 'dynamic');

-- Whoever writes only tiebreak_eligible, such as the previous version or an import, chooses it where it is not the usual value.
create function set_tiebreak() returns trigger language plpgsql as $$
declare
  usual boolean := new.points_min <> 0 or new.points_max <> 0 or new.scoring_kind = 'dynamic';
  is_direct boolean := new.tiebreak_eligible is not null;
begin
  if tg_op = 'UPDATE' then
    is_direct := new.tiebreak_eligible <> old.tiebreak_eligible
      and new.tiebreak_choice is not distinct from old.tiebreak_choice;
  end if;
  if is_direct then
    new.tiebreak_choice := nullif(new.tiebreak_eligible, usual);
  end if;
  new.tiebreak_eligible := coalesce(new.tiebreak_choice, usual);
  return new;
end $$;

create trigger challenges_tiebreak before insert or update of tiebreak_choice, tiebreak_eligible, points_min, points_max, scoring_kind
  on challenges for each row execute function set_tiebreak();
