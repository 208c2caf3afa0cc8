import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sql, { raw } from 'sql-template-tag'
import { StartError, UnavailableError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import { openDatabase, type DatabaseAddress, type Queries } from './database.ts'

export type MigrateOptions = DatabaseAddress & {
  readonly log: Log
  /** Where the files are, when they are not ours. */
  readonly folder?: string
}

interface Migration {
  readonly name: string
  readonly text: string
  readonly sha256: string
}

const LEAST_SERVER_VERSION = 14

/**
 * The lock lives in the transaction, so that it works behind transaction poolers. Whoever starts at the same time
 * waits for a long migration rather than giving up beside it, so nothing here has a limit but idling.
 */
const LOCK = `
  set local statement_timeout = 0;
  set local lock_timeout = 0;
  select pg_advisory_xact_lock(7233021, 2);
  create table if not exists migrations (
    name text primary key,
    sha256 text not null,
    applied_at timestamptz not null default clock_timestamp()
  )`

/** Applies the migrations that are missing, in name order, each once however many processes start together. */
export async function migrate(options: MigrateOptions): Promise<void> {
  const migrations = await readMigrations(options.folder ?? ourFolder())
  const db = await openDatabase({ ...options, maxPoolSize: 1, answerTimeoutMs: 0 })
  try {
    await requireVersion(db)
    for (;;) {
      const applied = await db.transaction((tx) => applyNext(tx, migrations))
      if (applied === null) return
      options.log.info({ name: applied }, 'applied a migration')
    }
  } finally {
    await db.close()
  }
}

/** For `migrate: never`: ends the start when the database is not what this version needs. */
export async function requireMigrated(db: Queries, folder = ourFolder()): Promise<void> {
  const migrations = await readMigrations(folder)
  await requireVersion(db)
  const [found] = await db.query<{ isThere: boolean }>(
    sql`select to_regclass('migrations') is not null as "isThere"`,
  )
  const missing = found?.isThere ? await listMissing(db, migrations) : migrations
  const [first] = missing
  if (first) throw new StartError(`the database lacks migration ${first.name}: run \`pennant migrate\` first`)
}

async function applyNext(tx: Queries, migrations: readonly Migration[]): Promise<string | null> {
  await failing('cannot prepare the database for migrations', tx.query(raw(LOCK)))
  const [next] = await listMissing(tx, migrations)
  if (!next) return null
  await failing(`migration ${next.name} failed`, tx.query(raw(next.text)))
  await tx.query(sql`insert into migrations (name, sha256) values (${next.name}, ${next.sha256})`)
  return next.name
}

/** What is not applied yet. Refuses a database that another version of the files has made. */
async function listMissing(db: Queries, migrations: readonly Migration[]): Promise<Migration[]> {
  const rows = await db.query<{ name: string; sha256: string }>(
    sql`select name, sha256 from migrations order by name`,
  )
  const known = new Map(migrations.map((migration) => [migration.name, migration]))
  for (const { name, sha256 } of rows) {
    const ours = known.get(name)
    if (!ours)
      throw new StartError(
        `the database was made by a newer Pennant (it has migration ${name}): start that version or a later one`,
      )
    if (ours.sha256 !== sha256)
      throw new StartError(
        `migration ${name} was changed after it was applied: restore the released file and add a new one`,
      )
  }
  const applied = new Set(rows.map(({ name }) => name))
  return migrations.filter(({ name }) => !applied.has(name))
}

async function requireVersion(db: Queries): Promise<void> {
  const [row] = await db.query<{ number: number; name: string }>(sql`
    select current_setting('server_version_num')::integer as number, current_setting('server_version') as name`)
  if (row && row.number < LEAST_SERVER_VERSION * 10_000)
    throw new StartError(
      `PostgreSQL ${LEAST_SERVER_VERSION} or newer is needed, and the server at DATABASE_URL is ${row.name}`,
    )
}

async function failing(what: string, work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof Error) || error instanceof UnavailableError) throw error
    throw new StartError(`${what}: ${error.message}`, { cause: error })
  }
}

/** Beside the sources as well as beside the bundle. */
function ourFolder(): string {
  const candidates = ['../migrations/', '../../migrations/'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  )
  const found = candidates.find((path) => existsSync(path))
  if (found === undefined) throw new StartError('the folder `migrations` of this installation is missing')
  return found
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      // A checkout may have changed the line ends, which changes nothing else.
      const text = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n')
      return { name, text, sha256: createHash('sha256').update(text).digest('hex') }
    }),
  )
}
