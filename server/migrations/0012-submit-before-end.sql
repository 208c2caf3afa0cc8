-- As 0002-submit.sql has it, with one more item for each submission: the instant that its solve may not be dated after.
-- Who was let in before the end may wait for the lock until after it, and a solve dated after the end counts for
-- nothing. Processes of the version before call it without.
drop function submit_batch(uuid[], uuid[], text[], text[], text[], text[]);

-- Many submissions in one commit. Ids come from the caller, so that a batch whose connection broke is sent again as
-- it is: what was answered before is answered the same, and nothing is written twice. One item of every array
-- belongs to one submission. Answers, in their order: correct, already_solved, incorrect, banned, no_team or
-- no_challenge; the last three leave no row.
create function submit_batch(
  submission_ids uuid[],
  -- Null for a submission that no flag accepted.
  solve_ids uuid[],
  challenge_ids text[],
  team_ids text[],
  ips text[],
  detail_texts text[],
  -- Null for a solve that is dated when it is stored.
  not_after timestamptz[] default null
) returns text[] language plpgsql
-- A plan made while the tables were small would be kept while they grow, and take a hundred times longer. All
-- access here is by key, so the plan that is right for any size is forced.
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
  -- Wrong flags change nothing that anyone sees: they wait for nobody.
  if array_length(array_remove(solve_ids, null), 1) > 0 then
    perform pg_advisory_xact_lock(7233021, 1);
  end if;
  -- After the lock, so that solves are dated in the order of their commits.
  submitted_at := date_trunc('milliseconds', clock_timestamp());

  if array_length(array_remove(solve_ids, null), 1) > 0 then
    with inserted as (
      insert into solves (id, challenge_id, team_id, created_at, ip)
      select item.solve_id, item.challenge_id, item.team_id,
        -- `least` leaves nulls out.
        least(submitted_at, item.not_after), item.ip
      from unnest(submission_ids, solve_ids, challenge_ids, team_ids, ips, not_after)
          with ordinality as item (id, solve_id, challenge_id, team_id, ip, not_after, n)
        join teams on teams.id = item.team_id and not teams.banned
        join challenges on challenges.id = item.challenge_id and challenges.scoring_kind <> 'dynamic'
        left join submissions answered on answered.id = item.id
      where item.solve_id is not null and answered.id is null
      -- Of several by one team the first counts.
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
      -- What matched is told of the solve alone.
      case when outcome = 'correct' then details::jsonb
        else jsonb_build_object('submittedFlag', details::jsonb -> 'submittedFlag') end,
      case when outcome = 'correct' then solve_id end, submitted_at
    from decided
    where outcome in ('correct', 'incorrect', 'already_solved')
    on conflict (id) do nothing
  )
  select array_agg(outcome order by n) into outcomes from decided;

  -- In a statement of its own: the trigger takes the lock even for an insert of no rows.
  if solved is not null then
    insert into changes (kind, ids) values ('solves', solved);
  end if;
  return outcomes;
end $$;
