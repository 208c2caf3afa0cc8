-- Solves, scores that organisers push, the submission audit, the function that stores a batch of submissions, and the
-- messages about first solves.

create table solves (
  id uuid primary key,
  challenge_id text not null references challenges (id) on delete cascade,
  team_id text not null references teams (id) on delete cascade,
  -- Read under the change lock, so that it increases in commit order.
  created_at timestamptz not null,
  ip text not null,
  -- Ranks at solve time. Recorded once, from the first standings that include the solve.
  global_place integer,
  division_place integer,
  constraint solves_once unique (challenge_id, team_id)
);
create index solves_team on solves (team_id);
create index solves_unplaced on solves (created_at) where global_place is null;

-- Points of a team on a dynamic challenge after the last push.
create table feed_scores (
  challenge_id text not null references challenges (id) on delete cascade,
  team_id text not null references teams (id) on delete cascade,
  points integer not null,
  -- When the team first had a score other than zero on this challenge.
  scored_at timestamptz not null,
  -- Change by the team's latest push, and the time of that push. bigint, because the difference between the lowest and
  -- the highest score overflows an integer.
  delta bigint not null,
  tick_at timestamptz not null,
  primary key (challenge_id, team_id)
);
create index feed_scores_team on feed_scores (team_id);

-- History of the pushes, for the graph. All rows of one push have the same time.
create table feed_events (
  id bigint generated always as identity primary key,
  challenge_id text not null references challenges (id) on delete cascade,
  team_id text not null references teams (id) on delete cascade,
  delta bigint not null,
  at timestamptz not null
);
-- For followers, which read the events after the last one they know. Ids increase with time, so an index by time is
-- not needed.
create index feed_events_later on feed_events (challenge_id, id);
-- For deleting a team, which deletes its events.
create index feed_events_team on feed_events (team_id);

-- The submission audit. No foreign keys, because rows must outlive their team and challenge.
create table submissions (
  id uuid primary key,
  kind text not null check (kind in ('flag', 'admin_bot')),
  challenge_id text not null,
  team_id text not null,
  ip text not null,
  result text not null check (result in ('correct', 'incorrect', 'already_solved', 'queued', 'active_job',
    'invalid_input', 'bad_instancer_state')),
  details jsonb not null,
  related_id text,
  created_at timestamptz not null
);
create index submissions_created_at on submissions (created_at desc, id desc);
create index submissions_challenge on submissions (challenge_id, created_at desc);
create index submissions_team on submissions (team_id, created_at desc);
-- For filtering and sorting the admin list by result, and by kind, which follows from the result. Only seven results
-- exist, so inserts touch the ends of seven runs, which are in memory anyway.
create index submissions_result on submissions (result, created_at desc);
-- A single column, so that PostgreSQL deduplicates equal addresses: the index is a sixth of the size.
create index submissions_ip on submissions (ip);

-- Stores many submissions in one commit. The caller chooses the ids, so a batch whose connection broke can be sent
-- again unchanged: it returns the same results and writes nothing twice. Item n of every array belongs to submission
-- n. Returns correct, already_solved, incorrect, banned, no_team or no_challenge for each submission, in their order;
-- the last three write no row.
create function submit_batch(
  submission_ids uuid[],
  -- Null for a submission that matched no flag.
  solve_ids uuid[],
  challenge_ids text[],
  team_ids text[],
  ips text[],
  detail_texts text[],
  -- Latest time that the solve may be dated; null for no limit. A submission accepted before the end of the event may
  -- get the lock after the end, and a solve dated after the end would not count.
  not_after timestamptz[] default null
) returns text[] language plpgsql
-- A plan cached while the tables were small would stay in use as they grow, and be a hundred times slower. All access
-- here is by key, so the generic index plan, which suits every size, is forced.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set lock_timeout = '10s'
as $$
declare
  submitted_at timestamptz;
  solved text[];
  outcomes text[];
begin
  -- Wrong flags change nothing that others see, so they do not wait for the lock.
  if array_length(array_remove(solve_ids, null), 1) > 0 then
    perform pg_advisory_xact_lock(7233021, 1);
  end if;
  -- After the lock, so that solves are dated in commit order.
  submitted_at := date_trunc('milliseconds', clock_timestamp());

  if array_length(array_remove(solve_ids, null), 1) > 0 then
    with inserted as (
      insert into solves (id, challenge_id, team_id, created_at, ip)
      select item.solve_id, item.challenge_id, item.team_id,
        -- `least` ignores nulls.
        least(submitted_at, item.not_after), item.ip
      from unnest(submission_ids, solve_ids, challenge_ids, team_ids, ips, not_after)
          with ordinality as item (id, solve_id, challenge_id, team_id, ip, not_after, n)
        join teams on teams.id = item.team_id and not teams.banned
        join challenges on challenges.id = item.challenge_id and challenges.scoring_kind <> 'dynamic'
        left join submissions answered on answered.id = item.id
      where item.solve_id is not null and answered.id is null
      -- If a team submits the flag several times in one batch, the first counts.
      order by item.n
      on conflict do nothing
      returning id, challenge_id, team_id
    )
    select array_agg(pair.part order by inserted.id, pair.n) into solved
    from inserted cross join unnest(array[inserted.challenge_id, inserted.team_id]) with ordinality as pair (part, n);
  end if;

  with decided as (
    select item.*,
      case
        when answered.id is not null then answered.result
        when teams.id is null then 'no_team'
        when teams.banned then 'banned'
        when challenges.id is null or challenges.scoring_kind = 'dynamic' then 'no_challenge'
        when item.solve_id is null then 'incorrect'
        when solves.id = item.solve_id then 'correct'
        else 'already_solved'
      end as outcome
    from unnest(submission_ids, solve_ids, challenge_ids, team_ids, ips, detail_texts)
        with ordinality as item (id, solve_id, challenge_id, team_id, ip, details, n)
      left join submissions answered on answered.id = item.id
      left join teams on teams.id = item.team_id
      left join challenges on challenges.id = item.challenge_id
      left join solves on solves.challenge_id = item.challenge_id and solves.team_id = item.team_id
  ), audited as (
    insert into submissions (id, kind, challenge_id, team_id, ip, result, details, related_id, created_at)
    select id, 'flag', challenge_id, team_id, ip, outcome,
      -- Only the solve itself records which flag matched.
      case when outcome = 'correct' then details::jsonb
        else jsonb_build_object('submittedFlag', details::jsonb -> 'submittedFlag') end,
      case when outcome = 'correct' then solve_id end, submitted_at
    from decided
    where outcome in ('correct', 'incorrect', 'already_solved')
    on conflict (id) do nothing
  )
  select array_agg(outcome order by n) into outcomes from decided;

  -- A separate statement, because the trigger takes the lock even if the insert adds no rows.
  if solved is not null then
    insert into changes (kind, ids) values ('solves', solved);
  end if;
  return outcomes;
end $$;

-- Which first solves to announce, and where. The worker writes the row when it starts; without it nothing is announced.
create table blood_watch (
  "only" boolean primary key default true check ("only"),
  bloods_count integer not null check (bloods_count > 0),
  destinations text[] not null
);

-- Adds a message to the outbox for each first solve and destination, in the transaction of the solve. Solves are
-- inserted under the change lock, so every solve that this one does not see is later. Solves of challenges that players
-- cannot see write no message, so none is sent when the challenge is shown either. The sender checks whether the event
-- has started.
create function announce_bloods() returns trigger language plpgsql as $$
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

create trigger bloods_announced after insert on solves
  referencing new table as added for each statement execute function announce_bloods();
