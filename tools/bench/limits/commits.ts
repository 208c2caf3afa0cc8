import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { SECOND_MS } from '@pennant/contract/durations.ts'

// The second physical limit: the rows that a flag writes, one transaction each, in tables with the same columns and
// indices and without any rows.

/** The embedded database allows 50 connections, of which the server may use 23. */
export const COMMIT_CLIENTS = 24

const WRONG_ROW = `insert into bench_submissions
  select gen_random_uuid(), 'flag', 'bench-0', gen_random_uuid()::text, '10.0.0.1', 'incorrect', '{"submittedFlag": "flag{wrong}"}', null, clock_timestamp();`
const RIGHT_ROWS = `begin;
insert into bench_solves (id, challenge_id, team_id, created_at, ip)
  select gen_random_uuid(), 'bench-0', gen_random_uuid()::text, clock_timestamp(), '10.0.0.1';
insert into bench_submissions
  select gen_random_uuid(), 'flag', 'bench-0', gen_random_uuid()::text, '10.0.0.1', 'correct', '{"submittedFlag": "flag{right}"}', gen_random_uuid()::text, clock_timestamp();
insert into bench_changes (kind, ids, at) values ('solves', '{bench-0,team}', clock_timestamp());
commit;`
const SINGLE_ROW = 'insert into bench_commits (n) values (1);'

const TABLES = `
  create table bench_submissions (like submissions including indexes);
  create table bench_solves (like solves including indexes);
  create table bench_changes (seq bigint generated always as identity primary key, kind text not null, ids text[] not null, at timestamptz not null);
  create table bench_commits (id uuid primary key default gen_random_uuid(), n int)`
const NAMES = 'bench_submissions, bench_solves, bench_changes, bench_commits'

export interface CommitLimits {
  /** What measured them: pgbench where it is installed, otherwise the Node driver. */
  readonly by: string
  /** Commits per second: the rows of a wrong flag, those of a right one, and a single short row. */
  readonly wrong: number
  readonly right: number
  readonly single: number
}

export async function commitLimits(databaseUrl: string, seconds: number): Promise<CommitLimits> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(`drop table if exists ${NAMES}`)
  await client.query(TABLES)
  try {
    const measured: number[] = []
    let by = 'pgbench'
    for (const script of [WRONG_ROW, RIGHT_ROWS, SINGLE_ROW]) {
      const byTool = pgbench(databaseUrl, script, seconds)
      if (byTool === null) by = 'the Node driver'
      measured.push(byTool ?? (await byDriver(databaseUrl, script, seconds)))
    }
    const [wrong = NaN, right = NaN, single = NaN] = measured
    return { by: `${by}, ${COMMIT_CLIENTS} clients`, wrong, right, single }
  } finally {
    await client.query(`drop table ${NAMES}`)
    await client.end()
  }
}

/** Null without pgbench. */
function pgbench(databaseUrl: string, script: string, seconds: number): number | null {
  // A file, because pgbench cannot reopen a pipe passed as /dev/stdin.
  const folder = mkdtempSync(join(tmpdir(), 'pennant-pgbench-'))
  const file = join(folder, 'script.sql')
  writeFileSync(file, script)
  const load = ['-c', String(COMMIT_CLIENTS), '-j', '1', '-T', String(Math.max(1, Math.round(seconds)))]
  const run = spawnSync('pgbench', ['-n', '-f', file, ...load, databaseUrl], { encoding: 'utf8' })
  rmSync(folder, { recursive: true, force: true })
  const found = /tps = ([\d.]+)/.exec(run.stdout ?? '')
  return run.status === 0 && found ? Number(found[1]) : null
}

async function byDriver(databaseUrl: string, script: string, seconds: number): Promise<number> {
  const pool = Array.from({ length: COMMIT_CLIENTS }, () => new Client({ connectionString: databaseUrl }))
  await Promise.all(pool.map((client) => client.connect()))
  const started = performance.now()
  let count = 0
  await Promise.all(
    pool.map(async (client) => {
      while (performance.now() - started < seconds * SECOND_MS) {
        await client.query(script)
        count += 1
      }
    }),
  )
  const elapsed = (performance.now() - started) / SECOND_MS
  await Promise.all(pool.map((client) => client.end()))
  return count / elapsed
}
