import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'

// The second physical limit: the rows that a flag writes, one transaction each, in tables with the same columns and
// indices and without any rows.

/** The embedded database allows 50 connections, of which the server may use 23. */
const CLIENTS = 24

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

/** Commits per second: the rows of a wrong flag, those of a right one, and a single short row. */
export type CommitLimits = Readonly<Record<'wrong' | 'right' | 'single', number>>

/** Null where pgbench is not installed. */
export async function commitLimits(databaseUrl: string, seconds: number): Promise<CommitLimits | null> {
  if (spawnSync('pgbench', ['--version']).error) return null
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(`drop table if exists ${NAMES}`)
  await client.query(TABLES)
  try {
    const measured = (script: string) => pgbench(databaseUrl, script, seconds)
    return { wrong: measured(WRONG_ROW), right: measured(RIGHT_ROWS), single: measured(SINGLE_ROW) }
  } finally {
    await client.query(`drop table ${NAMES}`)
    await client.end()
  }
}

function pgbench(databaseUrl: string, script: string, seconds: number): number {
  // A file, because pgbench cannot reopen a pipe passed as /dev/stdin.
  const folder = mkdtempSync(join(tmpdir(), 'pennant-pgbench-'))
  const file = join(folder, 'script.sql')
  writeFileSync(file, script)
  const load = ['-c', String(CLIENTS), '-j', '1', '-T', String(Math.max(1, Math.round(seconds)))]
  const { stdout, stderr } = spawnSync('pgbench', ['-n', '-f', file, ...load, databaseUrl], {
    encoding: 'utf8',
  })
  rmSync(folder, { recursive: true, force: true })
  const found = /tps = ([\d.]+)/.exec(stdout)
  if (!found) throw new Error(`pgbench failed: ${stderr}`)
  return Number(found[1])
}
