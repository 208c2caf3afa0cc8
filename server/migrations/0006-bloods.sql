-- Messages about the first solves of a challenge: one row of the outbox for each blood and destination, written in
-- the transaction of the solve.

-- What is told of, and to whom. The worker writes it at its start; without the row nobody is told of anything.
create table blood_watch (
  "only" boolean primary key default true check ("only"),
  bloods_count integer not null check (bloods_count > 0),
  destinations text[] not null
);

-- Solves are inserted under the change lock, so every solve that this one does not see comes after it.
create function announce_bloods() returns trigger language plpgsql as $$
declare
  watch blood_watch%rowtype;
begin
  select * into watch from blood_watch;
  if not found then
    return null;
  end if;

  with earlier as (
    -- Counts no further than it matters: a challenge may have thousands of solves.
    select fresh.challenge_id, (
      select count(*) from (
        select from solves join teams on teams.id = solves.team_id and not teams.banned
        where solves.challenge_id = fresh.challenge_id and solves.id <> all (fresh.ids)
        limit watch.bloods_count
      ) counted
    ) as solves
    from (
      select challenge_id, array_agg(id) as ids from added
      -- Not news: solves of a contest that is being restored.
      where created_at > clock_timestamp() - interval '1 minute'
      group by challenge_id
    ) fresh
  ), blood as (
    select added.id, added.created_at, challenges.id as challenge_id, challenges.name as challenge_name, category,
      teams.id as team_id, teams.name as team_name,
      earlier.solves + row_number() over (partition by added.challenge_id order by added.created_at, added.id) as n
    from earlier join added using (challenge_id)
      join challenges on challenges.id = added.challenge_id
      join teams on teams.id = added.team_id and not teams.banned
    where earlier.solves < watch.bloods_count
  )
  insert into outbox (id, kind, payload)
  -- The id follows from the solve and the destination: there cannot be a second row.
  select left(encode(sha256(convert_to(blood.id || ' ' || destination, 'utf8')), 'hex'), 32)::uuid, 'message',
    jsonb_build_object(
      'destination', destination,
      'id', blood.id,
      'bloodNumber', n,
      'team', jsonb_build_object('id', team_id, 'name', team_name),
      'challenge', jsonb_build_object('id', challenge_id, 'name', challenge_name, 'category', category),
      'time', (extract(epoch from blood.created_at) * 1000)::bigint)
  from blood cross join unnest(watch.destinations) as destination
  where n <= watch.bloods_count
  on conflict (id) do nothing;
  return null;
end $$;

create trigger bloods_announced after insert on solves
  referencing new table as added for each statement execute function announce_bloods();
