-- From the lowest score to the highest is more than an integer holds.
alter table feed_scores alter column delta type bigint;
alter table feed_events alter column delta type bigint;

-- Followers read what came after the last event that they know. Ids rise with time: no index by time is needed.
create index feed_events_later on feed_events (challenge_id, id);
drop index feed_events_challenge;

-- Events go with their team.
create index feed_events_team on feed_events (team_id);
