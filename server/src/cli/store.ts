import sql from 'sql-template-tag'
import type { Config } from '../config/config.ts'
import { openDatabase, type Database, type DatabaseAddress } from '../db/database.ts'
import { migrate, requireMigrated } from '../db/migrate.ts'
import type { Log } from '../lib/log.ts'
import { commandLog } from './connection.ts'
import { completeRestore } from './pending-restore.ts'
import type { ProcessContext } from './process-context.ts'

export interface Store extends AsyncDisposable {
  readonly config: Config
  readonly db: Database
}

export interface Postgres extends AsyncDisposable {
  readonly address: DatabaseAddress
}

interface PostgresOptions {
  /** Aborts the start. */
  readonly signal?: AbortSignal
  /** How many connections the embedded server must allow, if that is more than its default. */
  readonly connections?: number
}

/** The configured PostgreSQL, or the embedded one, which is started unless it is running. */
export async function openPostgres(
  { database, dataDir }: Config,
  log: Log,
  options: PostgresOptions = {},
): Promise<Postgres> {
  const { url } = database
  if (url !== undefined) return { address: { url }, [Symbol.asyncDispose]: async () => {} }
  const { startEmbedded } = await import('../db/embedded.ts')
  const embedded = await startEmbedded({ dataDir, log, ...options })
  return {
    address: { connection: embedded.connection },
    [Symbol.asyncDispose]: () => embedded.stop(),
  }
}

/** The migrated database, for a short-lived command that may create it. */
export async function openStore(configured: Config, context: ProcessContext): Promise<Store> {
  const log = commandLog(context)
  const postgres = await openPostgres(configured, log)
  return await storeOf(postgres, async () => {
    await prepare(configured, postgres.address, log)
    const config = await completeRestore(configured, { ...postgres, log }, context)
    return { config, db: await openDatabase({ ...postgres.address, log, maxPoolSize: 1 }) }
  })
}

/** Stops the embedded server if the database cannot be opened. */
export async function storeOf(
  postgres: Postgres,
  open: () => Promise<Pick<Store, 'config' | 'db'>>,
): Promise<Store> {
  try {
    const { config, db } = await open()
    return {
      config,
      db,
      async [Symbol.asyncDispose]() {
        await db.close()
        await postgres[Symbol.asyncDispose]()
      },
    }
  } catch (error) {
    await postgres[Symbol.asyncDispose]()
    throw error
  }
}

/**
 * Whether another process, such as a running server, uses the database. Queries through the store's only
 * connection.
 */
export async function isShared({ db }: Store): Promise<boolean> {
  const others = await db.query(sql`
    select 1 from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid() limit 1`)
  return others.length > 0
}

/** Applies migrations if the configuration says so. */
export async function prepare(
  { database }: Config,
  address: DatabaseAddress & { readonly startTimeoutMs?: number },
  log: Log,
): Promise<void> {
  if (database.migrate !== 'never') return await migrate({ ...address, log })
  const db = await openDatabase({ ...address, log, maxPoolSize: 1 })
  try {
    await requireMigrated(db)
  } finally {
    await db.close()
  }
}
