import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ClientBase } from 'pg'
import sql, { raw } from 'sql-template-tag'
import { StartError, UnavailableError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import { openDatabase, type DatabaseAddress, type Queries } from './database.ts'
import { hasTable } from './has-table.ts'

export type MigrateOptions = DatabaseAddress & {
  readonly log: Log
  /** How long to retry the first connection. */
  readonly startTimeoutMs?: number
  /** Folder of the migration files; those of this installation by default. */
  readonly folder?: string
}

interface Migration {
  readonly name: string
  readonly text: string
  readonly sha256: string
}

const MIN_SERVER_VERSION = 14

/**
 * A transaction-level lock works behind transaction poolers. Other starting processes wait for a long migration instead
 * of failing, so statement and lock timeouts are off.
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

/** Applies pending migrations in name order. Each runs once, however many processes start together. */
export async function migrate(options: MigrateOptions): Promise<void> {
  const migrations = await readMigrations(options.folder ?? ourFolder())
  const db = await openDatabase({ ...options, maxPoolSize: 1, queryTimeoutMs: 0 })
  try {
    await requireVersion(db)
    await requireNotOfRctf(db)
    for (;;) {
      const applied = await db.transaction((tx) => applyNext(tx, migrations))
      if (applied === null) return
      options.log.info({ name: applied }, 'applied a migration')
    }
  } finally {
    await db.close()
  }
}

/**
 * Creates the schema of a backup inside the caller's transaction, in a schema without tables. Throws a StartError if this
 * version does not have exactly those migrations.
 */
export async function migrateTo(
  client: ClientBase,
  wanted: readonly Pick<Migration, 'name' | 'sha256'>[],
  folder = ourFolder(),
): Promise<void> {
  const known = new Map((await readMigrations(folder)).map((migration) => [migration.name, migration]))
  await client.query(LOCK)
  for (const { name, sha256 } of wanted) {
    const ours = known.get(name)
    if (ours?.sha256 !== sha256)
      throw new StartError(
        `the archive has migration ${name}, which this version of Pennant does not include: use the version that made ` +
          'the archive or a newer one. Nothing was changed',
      )
    await client.query(ours.text)
  }
}

/** For `migrate: never`: throws a StartError unless every migration of this version is applied. */
export async function requireMigrated(db: Queries, folder = ourFolder()): Promise<void> {
  const [first] = await listPendingMigrations(db, folder)
  if (first) throw new StartError(`migration ${first} is not applied: run \`pennant migrate\` first`)
}

/** The names of migrations that are not applied yet. Changes nothing. Throws a StartError for an unsupported database. */
export async function listPendingMigrations(db: Queries, folder = ourFolder()): Promise<string[]> {
  const migrations = await readMigrations(folder)
  await requireVersion(db)
  await requireNotOfRctf(db)
  const pending = (await hasTable(db, 'migrations')) ? await listPending(db, migrations) : migrations
  return pending.map(({ name }) => name)
}

async function applyNext(tx: Queries, migrations: readonly Migration[]): Promise<string | null> {
  await orStartError('cannot prepare the database for migrations', tx.query(raw(LOCK)))
  const [next] = await listPending(tx, migrations)
  if (!next) return null
  await orStartError(`migration ${next.name} failed`, tx.query(raw(next.text)))
  await tx.query(sql`insert into migrations (name, sha256) values (${next.name}, ${next.sha256})`)
  return next.name
}

/** Returns migrations that are not applied yet. Throws if an applied one is unknown or its file has changed. */
async function listPending(db: Queries, migrations: readonly Migration[]): Promise<Migration[]> {
  const rows = await db.query<{ name: string; sha256: string; at: string }>(
    sql`select name, sha256, to_char(applied_at, 'YYYY-MM-DD') as at from migrations order by name`,
  )
  const known = new Map(migrations.map((migration) => [migration.name, migration]))
  for (const { name, sha256, at } of rows) {
    const ours = known.get(name)
    if (isRewritten({ name, sha256 }, migrations))
      throw new StartError(
        `the database was made by a development version of Pennant (migration ${name} of ${at}), before the first release: ` +
          'export the contest with that version, and import it with this one into a new database',
      )
    if (!ours)
      throw new StartError(
        `the database has migration ${name}, which this version of Pennant does not include: start the version ` +
          'that created the database or a newer one, or use a new database',
      )
    if (ours.sha256 !== sha256)
      throw new StartError(
        `migration ${name} was changed after it was applied: restore the released file and add a new one`,
      )
  }
  const applied = new Set(rows.map(({ name }) => name))
  return migrations.filter(({ name }) => !applied.has(name))
}

/**
 * The files of the first schema were rewritten until its last one, `0013-messages.sql`: a database with another file of those
 * numbers is of a development version.
 */
const LAST_REWRITTEN = 13

function isRewritten(applied: Pick<Migration, 'name' | 'sha256'>, ours: readonly Migration[]): boolean {
  const isOurs = ours.some(({ name, sha256 }) => name === applied.name && sha256 === applied.sha256)
  const isOfFirstSchema = ours[0]?.name === '0001-accounts-and-challenges.sql'
  return isOfFirstSchema && !isOurs && Number(applied.name.slice(0, 4)) <= LAST_REWRITTEN
}

async function requireVersion(db: Queries): Promise<void> {
  const [row] = await db.query<{ number: number; name: string }>(sql`
    select current_setting('server_version_num')::integer as number, current_setting('server_version') as name`)
  if (row && row.number < MIN_SERVER_VERSION * 10_000)
    throw new StartError(
      `PostgreSQL ${MIN_SERVER_VERSION} or newer is required; the server at DATABASE_URL runs ${row.name}`,
    )
}

/** Its configuration names its database, which a takeover of that configuration would point this server at. */
async function requireNotOfRctf(db: Queries): Promise<void> {
  if (await hasTable(db, 'migrations')) return
  const [drizzle] = await db.query(sql`select 1 from pg_namespace where nspname = 'drizzle'`)
  const isForeign = drizzle ?? ((await hasTable(db, 'users')) || (await hasTable(db, 'pgmigrations')))
  if (isForeign)
    throw new StartError(
      'the database has tables of another program, as rCTF makes them, and none of Pennant. Nothing was changed: use an empty ' +
        'database, and copy the contest of rCTF with `pennant import rctf`',
    )
}

async function orStartError(what: string, work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof Error) || error instanceof UnavailableError) throw error
    throw new StartError(`${what}: ${error.message}`, { cause: error })
  }
}

/** The relative path differs between the sources and the bundle. */
function ourFolder(): string {
  const candidates = ['../migrations/', '../../migrations/'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  )
  const found = candidates.find((path) => existsSync(path))
  if (found === undefined) throw new StartError('the `migrations` folder of this installation is missing')
  return found
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      // Git may have converted the line endings; that must not change the checksum.
      const text = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n')
      return { name, text, sha256: createHash('sha256').update(text).digest('hex') }
    }),
  )
}
