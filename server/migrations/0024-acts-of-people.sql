-- Which person of a team acted. No foreign keys, because what was done outlives the person. Null for the team's own token.
alter table submissions add column person_id text;
alter table hint_purchases add column person_id text;
alter table instance_slots add column person_id text;
alter table thread_messages add column person_id text;

-- A team that a person created has no address of its own: its people sign in. The code itself keeps a last way to sign in.
-- second step: unused since 1.0.0-rc.1
alter table teams drop constraint teams_sign_in;

-- As submit_batch of 0003-submissions.sql, which the previous version still calls, with the person of each submission.
create function submit_batch_of_people(
  submission_ids uuid[],
  -- Null for a submission that matched no flag.
  solve_ids uuid[],
  challenge_ids text[],
  team_ids text[],
  ips text[],
  detail_texts text[],
  -- Latest time that the solve may be dated; null for no limit. A submission accepted before the end of the event may
  -- get the lock after the end, and a solve dated after the end would not count.
  not_after timestamptz[],
  -- Who of the team it was; null for the token of the team itself.
  person_ids text[]
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
    from unnest(submission_ids, solve_ids, challenge_ids, team_ids, ips, detail_texts, person_ids)
        with ordinality as item (id, solve_id, challenge_id, team_id, ip, details, person_id, n)
      left join submissions answered on answered.id = item.id
      left join teams on teams.id = item.team_id
      left join challenges on challenges.id = item.challenge_id
      left join solves on solves.challenge_id = item.challenge_id and solves.team_id = item.team_id
  ), audited as (
    insert into submissions (id, kind, challenge_id, team_id, ip, result, details, related_id, created_at, person_id)
    select id, 'flag', challenge_id, team_id, ip, outcome,
      -- Only the solve itself records which flag matched.
      case when outcome = 'correct' then details::jsonb
        else jsonb_build_object('submittedFlag', details::jsonb -> 'submittedFlag') end,
      case when outcome = 'correct' then solve_id end, submitted_at, person_id
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
