-- A worker that renews holds its job by a lease: when it dies, the job goes back to the queue.

alter table admin_bot_jobs
  -- Null for a worker that asked for none: its job fails after four times its limit, as before.
  add column lease_token text,
  add column lease_ends_at timestamptz,
  -- When the present attempt began. Renewing moves updated_at, not this.
  add column pulled_at timestamptz,
  add column attempts integer not null default 0;

create index admin_bot_jobs_leased on admin_bot_jobs (lease_ends_at)
  where status = 'running' and lease_token is not null;
