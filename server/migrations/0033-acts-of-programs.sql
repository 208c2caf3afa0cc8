-- Which API token of a team acted. The name too, because what was done outlives the token. Null for sessions and for the
-- team's own token.
alter table submissions add column api_token_id text, add column api_token_name text;
alter table hint_purchases add column api_token_id text, add column api_token_name text;
alter table instance_actions add column api_token_id text, add column api_token_name text;
alter table thread_messages add column api_token_id text, add column api_token_name text;

-- As submit_batch_of_people of 0024-acts-of-people.sql, which the previous version still calls, with the API token of each
-- submission.
create function submit_batch_of_programs(
  submission_ids uuid[],
  solve_ids uuid[],
  challenge_ids text[],
  team_ids text[],
  ips text[],
  detail_texts text[],
  not_after timestamptz[],
  person_ids text[],
  -- Null for a submission without an API token.
  api_token_ids text[],
  api_token_names text[]
) returns text[] language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set lock_timeout = '10s'
as $$
declare
  outcomes text[];
begin
  outcomes := submit_batch_of_people(submission_ids, solve_ids, challenge_ids, team_ids, ips, detail_texts, not_after, person_ids);
  -- Most submissions come from browsers, which need no second write.
  if array_length(array_remove(api_token_ids, null), 1) > 0 then
    update submissions set api_token_id = item.token_id, api_token_name = item.token_name
    from unnest(submission_ids, api_token_ids, api_token_names) as item (id, token_id, token_name)
    where submissions.id = item.id and item.token_id is not null;
  end if;
  return outcomes;
end $$;
