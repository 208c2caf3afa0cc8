import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { ClientBase } from 'pg'
import sql, { raw } from 'sql-template-tag'
import serverPackage from '../../package.json' with { type: 'json' }
import { StartError, UnavailableError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import { openDatabase, queriesOf, type DatabaseAddress, type Queries } from './database.ts'
import { isLockTimeout } from './failures.ts'
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
    applied_at timestamptz not null default clock_timestamp(),
    release text
  );
  do $$ begin
    if not exists (select from pg_attribute where attrelid = 'migrations'::regclass and attname = 'release') then
      alter table migrations add column release text;
    end if;
  end $$`

/** A backup of this age counts as made for the migration. */
const RECENT = '1 hour'

/**
 * A statement that waits for a lock makes all later ones of a running server wait behind it. So a migration gives up soon,
 * and begins again when those have run.
 */
const LOCK_TIMEOUT = `set local lock_timeout = '2s'`
const LOCK_ATTEMPTS = 20
const LOCK_PAUSE_MS = 1_000

/** Applies pending migrations in name order. Each runs once, however many processes start together. */
export async function migrate(options: MigrateOptions): Promise<void> {
  const migrations = await readMigrations(options.folder ?? ourFolder())
  const db = await openDatabase({ ...options, maxPoolSize: 1, queryTimeoutMs: 0 })
  try {
    const pending = await pendingOnData(db, migrations)
    if (pending && !pending.hasRecentBackup)
      options.log.warn(
        { pending: pending.count, first: pending.first },
        'migrating a database with teams; only a backup from before leads back to the previous version: next time stop and run `pennant migrate --backup`',
      )
    for (;;) {
      const applied = await whileLocked(() => db.transaction((tx) => applyNext(tx, migrations)), options.log)
      if (applied === null) return
      options.log.info({ name: applied }, 'applied a migration')
    }
  } finally {
    await db.close()
  }
}

export interface PendingOnData {
  readonly count: number
  /** The name of the first migration. */
  readonly first: string
  readonly hasRecentBackup: boolean
}

/** The migrations that would be applied to a database with teams, which cannot be undone; otherwise null. */
export async function findPendingOnData(db: Queries): Promise<PendingOnData | null> {
  return await pendingOnData(db, await readMigrations(ourFolder()))
}

async function pendingOnData(db: Queries, migrations: readonly Migration[]): Promise<PendingOnData | null> {
  const [first, ...others] = await pendingOf(db, migrations)
  if (!first || !(await hasTable(db, 'teams')) || !(await hasTable(db, 'backups'))) return null
  const [found] = await db.query<{ hasTeams: boolean; hasRecentBackup: boolean }>(sql`
    select exists (select from teams) as "hasTeams", exists (
      select from backups where snapshot_at > clock_timestamp() - ${RECENT}::interval
    ) as "hasRecentBackup"`)
  if (!found?.hasTeams) return null
  return { count: others.length + 1, first: first.name, hasRecentBackup: found.hasRecentBackup }
}

async function whileLocked<T>(attempt: () => Promise<T>, log: Log): Promise<T> {
  for (let count = 1; ; count++) {
    try {
      return await attempt()
    } catch (error) {
      if (!isLockTimeout(error)) throw error
      if (count === LOCK_ATTEMPTS)
        throw new StartError(
          'a migration could not lock its tables, because another session uses them, such as a backup or a statistics query: ' +
            'start again when it has ended. The migration changed nothing',
          { cause: error },
        )
      log.info({ attempt: count }, 'a migration waits for tables that are in use')
    }
    await delay(LOCK_PAUSE_MS)
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

/** Applies pending migrations in the caller's transaction, which no one else can be waiting for. */
export async function migrateWithin(client: ClientBase): Promise<void> {
  const migrations = await readMigrations(ourFolder())
  while ((await applyNext(queriesOf(client), migrations)) !== null);
}

/** For `migrate: never`: throws a StartError unless every migration of this version is applied. */
export async function requireMigrated(db: Queries, folder = ourFolder()): Promise<void> {
  const [first] = await listPendingMigrations(db, folder)
  if (first) throw new StartError(`migration ${first} is not applied: run \`pennant migrate --backup\` first`)
}

/** The names of migrations that are not applied yet. Changes nothing. Throws a StartError for an unsupported database. */
export async function listPendingMigrations(db: Queries, folder = ourFolder()): Promise<string[]> {
  return (await pendingOf(db, await readMigrations(folder))).map(({ name }) => name)
}

async function pendingOf(db: Queries, migrations: readonly Migration[]): Promise<readonly Migration[]> {
  await requireVersion(db)
  await requireNotOfRctf(db)
  return (await hasTable(db, 'migrations')) ? await listPending(db, migrations) : migrations
}

async function applyNext(tx: Queries, migrations: readonly Migration[]): Promise<string | null> {
  await orStartError('cannot prepare the database for migrations', tx.query(raw(LOCK)))
  const [next] = await listPending(tx, migrations)
  if (!next) return null
  await tx.query(raw(LOCK_TIMEOUT))
  await orStartError(`migration ${next.name} failed`, tx.query(raw(next.text)))
  await tx.query(sql`
    insert into migrations (name, sha256, release) values (${next.name}, ${next.sha256}, ${serverPackage.version})`)
  return next.name
}

/** Returns migrations that are not applied yet. Throws if an applied one is unknown or its file has changed. */
async function listPending(db: Queries, migrations: readonly Migration[]): Promise<Migration[]> {
  const rows = await db.query<{ name: string; sha256: string; at: string; release: string | null }>(sql`
    select name, sha256, to_char(applied_at, 'YYYY-MM-DD') as at, to_jsonb(migrations)->>'release' as release
    from migrations order by name`)
  const known = new Map(migrations.map((migration) => [migration.name, migration]))
  for (const { name, sha256, at, release } of rows) {
    const ours = known.get(name)
    if (isRewritten({ name, sha256 }, migrations))
      throw new StartError(
        `the database was made by a development version of Pennant (migration ${name} of ${at}) that no release can migrate: ` +
          'export the contest with that version, and import it with this one into a new database. Nothing was changed',
      )
    if (!ours)
      throw new StartError(
        `the database was migrated by ${release === null ? 'another version of Pennant' : `Pennant ${release}`} (migration ${name} of ` +
          `${at}), which this version, ${serverPackage.version}, cannot undo: start ${release ?? 'that version'} or a newer one, or ` +
          'restore the backup from before that migration into an empty database with `pennant restore`. Nothing was changed',
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
