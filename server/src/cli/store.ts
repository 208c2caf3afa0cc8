import sql from 'sql-template-tag'
import type { Config } from '../config/config.ts'
import { openDatabase, type Database, type DatabaseAddress } from '../db/database.ts'
import { migrate, requireMigrated } from '../db/migrate.ts'
import type { Log } from '../lib/log.ts'
import { createLog, isReadableLog } from './log.ts'
import type { Outside } from './outside.ts'

export interface Store extends AsyncDisposable {
  readonly config: Config
  readonly db: Database
}

export interface Postgres extends AsyncDisposable {
  readonly address: DatabaseAddress
}

/** The configured PostgreSQL, or the embedded one, started or found running. The signal gives up the start. */
export async function openPostgres(
  { database, dataDir }: Config,
  log: Log,
  signal?: AbortSignal,
): Promise<Postgres> {
  const { url } = database
  if (url !== undefined) return { address: { url }, [Symbol.asyncDispose]: async () => {} }
  const { startEmbedded } = await import('../db/embedded.ts')
  const embedded = await startEmbedded({ dataDir, log, ...(signal && { signal }) })
  return {
    address: { connection: embedded.connection },
    [Symbol.asyncDispose]: () => embedded.stop(),
  }
}

/** The migrated database, for a command that is soon done. */
export async function openStore(config: Config, outside: Outside): Promise<Store> {
  // Standard output belongs to the command's answer.
  const quiet: Outside = { ...outside, print: outside.complain }
  const log = createLog({ level: 'warn', isReadable: isReadableLog(outside), outside: quiet })
  const postgres = await openPostgres(config, log)
  try {
    await prepare(config, postgres.address, log)
    const db = await openDatabase({ ...postgres.address, log, maxPoolSize: 1 })
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

/** Whether another process uses the database now, as a running server does. Asks through the store's one connection. */
export async function isShared({ db }: Store): Promise<boolean> {
  const others = await db.query(sql`
    select 1 from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid() limit 1`)
  return others.length > 0
}

/** Applies migrations where that is wanted. */
export async function prepare({ database }: Config, address: DatabaseAddress, log: Log): Promise<void> {
  if (database.migrate !== 'never') return await migrate({ ...address, log })
  const db = await openDatabase({ ...address, log, maxPoolSize: 1 })
  try {
    await requireMigrated(db)
  } finally {
    await db.close()
  }
}
