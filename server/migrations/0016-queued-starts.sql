-- A start waits for others from then on; null once it has begun. Positions in the queue follow from it.
alter table instance_slots add column queued_at timestamptz;
-- The flags that the team's instance was given. They count until it is gone, even if the challenge has others by then.
alter table instance_slots add column flags text[] not null default '{}';
