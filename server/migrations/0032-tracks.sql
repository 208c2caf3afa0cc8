-- Tracks for humans and agents: docs/reference/tracks.md

-- Null: the team declared none, and is in the first one.
alter table teams add column track text;
-- Of a team of agents: its operator and model.
alter table teams add column agent jsonb;

-- The team says that it had the help of an agent.
alter table solves add column assisted boolean not null default false;

-- Of a registration whose address is not verified yet, or that waits for organisers.
alter table pending_registrations add column declared jsonb;
alter table registration_requests add column declared jsonb;

-- The settings of the track that applies to a team: its own, or the first one. Null without tracks.
create function track_of(declared text) returns jsonb language sql stable as $$
  select coalesce(
    (select each from jsonb_array_elements(data -> 'tracks') as each where each ->> 'id' = declared),
    data -> 'tracks' -> 0)
  from settings
$$;

-- As in 0003; only teams whose track takes first bloods are counted and announced.
create or replace function announce_bloods() returns trigger language plpgsql as $$
declare
  watch blood_watch%rowtype;
begin
  select * into watch from blood_watch;
  if not found then
    return null;
  end if;

  with earlier as (
    -- Stops counting at the limit: a challenge may have thousands of solves.
    select fresh.challenge_id, (
      select count(*) from (
        select from solves join teams on teams.id = solves.team_id and not teams.banned
          and coalesce((track_of(teams.track) ->> 'takesBloods')::boolean, true)
        where solves.challenge_id = fresh.challenge_id and solves.id <> all (fresh.ids)
        limit watch.bloods_count
      ) counted
    ) as solves
    from (
      select challenge_id, array_agg(id) as ids from added
      -- Older solves are those of a contest that is being restored.
      where created_at > clock_timestamp() - interval '1 minute'
      group by challenge_id
    ) fresh
  ), blood as (
    select added.id, added.created_at, challenges.id as challenge_id, challenges.name as challenge_name, category,
      teams.id as team_id, teams.name as team_name,
      earlier.solves + row_number() over (partition by added.challenge_id order by added.created_at, added.id) as n
    from earlier join added using (challenge_id)
      join challenges on challenges.id = added.challenge_id and not challenges.hidden
        and (challenges.release_at is null or challenges.release_at <= added.created_at)
      join teams on teams.id = added.team_id and not teams.banned
        and coalesce((track_of(teams.track) ->> 'takesBloods')::boolean, true)
    where earlier.solves < watch.bloods_count
  )
  insert into outbox (id, kind, payload)
  -- The id is derived from the solve and the destination, so a second row is impossible.
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
