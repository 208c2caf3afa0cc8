import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'

/** The URL of the database server that the Pennant server uses. */
export function databaseAddress(dataDir: string): string {
  const folder = encodeURIComponent(join(dataDir, 'postgres'))
  return process.env['DATABASE_URL'] ?? `postgres://pennant@/postgres?host=${folder}&port=5432`
}

/**
 * The second physical limit: single-row inserts with a unique index, one commit each. Uses pgbench where it
 * is installed, otherwise as many clients of the Node driver; the label says which.
 */
export async function commitsPerSecond(
  databaseUrl: string,
  clients: number,
): Promise<{ label: string; perSecond: number }> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(
    'create table if not exists bench_commits (id uuid primary key default gen_random_uuid(), n int)',
  )
  try {
    const byTool = pgbench(databaseUrl, clients)
    if (byTool !== null) return { label: `pgbench, ${clients} clients`, perSecond: byTool }
    return { label: `driver, ${clients} clients`, perSecond: await byDriver(databaseUrl, clients) }
  } finally {
    await client.query('drop table bench_commits')
    await client.end()
  }
}

const SECONDS = 3

function pgbench(databaseUrl: string, clients: number): number | null {
  // A file, because pgbench cannot reopen a pipe passed as /dev/stdin.
  const folder = mkdtempSync(join(tmpdir(), 'pennant-pgbench-'))
  const script = join(folder, 'insert.sql')
  writeFileSync(script, 'insert into bench_commits (n) values (1);\n')
  const options = ['-n', '-f', script, '-c', String(clients), '-j', '1', '-T', String(SECONDS)]
  const run = spawnSync('pgbench', [...options, databaseUrl], { encoding: 'utf8' })
  rmSync(folder, { recursive: true, force: true })
  const found = /tps = ([\d.]+)/.exec(run.stdout ?? '')
  return run.status === 0 && found ? Number(found[1]) : null
}

async function byDriver(databaseUrl: string, clients: number): Promise<number> {
  const pool = Array.from({ length: clients }, () => new Client({ connectionString: databaseUrl }))
  await Promise.all(pool.map((client) => client.connect()))
  const started = Date.now()
  let count = 0
  await Promise.all(
    pool.map(async (client) => {
      while (Date.now() - started < SECONDS * 1000) {
        await client.query('insert into bench_commits (n) values (1)')
        count++
      }
    }),
  )
  const elapsed = (Date.now() - started) / 1000
  await Promise.all(pool.map((client) => client.end()))
  return count / elapsed
}
