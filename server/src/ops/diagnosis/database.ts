import sql from 'sql-template-tag'
import { maxConnectionsOf, type Database } from '../../db/database.ts'
import { listPendingMigrations } from '../../db/migrate.ts'
import { failure, ok, type Check, type Subject } from './check.ts'
import { reasonOf } from '../../lib/reason.ts'

const MAX_CLOCK_DIFFERENCE_MS = 2_000
/** For commands while the server runs. */
const COMMAND_CONNECTIONS = 3

/** The database of a check that needs it. */
export function databaseOf({ db }: Subject): Database {
  if (typeof db === 'string') throw new Error(db)
  return db
}

/** Whether the tables can be read: every other check of the database depends on it. */
export const requireDatabase: Check = {
  name: 'database',
  async run({ db }) {
    if (typeof db === 'string')
      return failure(db, 'Check `database` and that PostgreSQL runs; without it nothing else works.')
    try {
      const pending = await listPendingMigrations(db)
      return pending.length === 0
        ? ok()
        : failure(
            `${pending.length} migrations are not applied; the first is ${pending[0]}.`,
            'Run `pennant migrate --backup`, or start the server if there is a backup.',
          )
    } catch (error) {
      return failure(reasonOf(error), 'Use PostgreSQL 14 or newer and the version of this database.')
    }
  },
}

interface Settings {
  readonly fsync: string
  readonly fullPageWrites: string
  readonly synchronousCommit: string
  readonly maxConnections: number
}

const readSettings = sql`
  select current_setting('fsync') as fsync, current_setting('full_page_writes') as "fullPageWrites",
    current_setting('synchronous_commit') as "synchronousCommit",
    current_setting('max_connections')::int as "maxConnections"`

async function settingsOf(subject: Subject): Promise<Settings> {
  const [row] = await databaseOf(subject).query<Settings>(readSettings)
  if (!row) throw new Error('PostgreSQL returned no settings.')
  return row
}

export const databaseChecks: readonly Check[] = [
  {
    name: 'database-durability',
    needsDatabase: true,
    async run(subject) {
      const { fsync, fullPageWrites, synchronousCommit } = await settingsOf(subject)
      const off = Object.entries({
        fsync,
        full_page_writes: fullPageWrites,
        synchronous_commit: synchronousCommit,
      })
        .filter(([, value]) => value === 'off')
        .map(([name]) => name)
      return off.length === 0
        ? ok()
        : failure(
            `PostgreSQL may lose acknowledged solves in a crash: ${off.join(' and ')} is off.`,
            `Set ${off.join(' and ')} to on.`,
          )
    },
  },
  {
    name: 'database-connections',
    needsDatabase: true,
    async run(subject) {
      const { maxConnections } = await settingsOf(subject)
      const needed = maxConnectionsOf(subject.config.database.maxPoolSize) + COMMAND_CONNECTIONS
      return needed <= maxConnections
        ? ok()
        : failure(
            `PostgreSQL allows ${maxConnections} connections, but one process may open ${needed}.`,
            'Raise max_connections or lower `database.maxPoolSize`.',
          )
    },
  },
  {
    name: 'database-pooler',
    needsDatabase: true,
    // Only statement pooling is a problem: it does not support transactions.
    async run(subject) {
      try {
        await databaseOf(subject).transaction((tx) => tx.query(sql`select 1`))
        return ok()
      } catch (error) {
        return failure(
          `Transactions fail: ${reasonOf(error)}`,
          'Use the transaction mode of the connection pooler, not its statement mode.',
        )
      }
    },
  },
  {
    name: 'clock-difference',
    needsDatabase: true,
    async run(subject) {
      const before = subject.now()
      const [row] = await databaseOf(subject).query<{ now: number }>(
        sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`,
      )
      const after = subject.now()
      const at = row?.now ?? Number.NaN
      // The query itself takes time, which is not a difference of the clocks.
      const differenceMs = Math.max(0, before - at, at - after)
      return differenceMs <= MAX_CLOCK_DIFFERENCE_MS
        ? ok()
        : failure(
            `The clocks of this machine and the database differ by ${Math.round(differenceMs / 1000)} s.`,
            'Synchronize both with NTP.',
          )
    },
  },
]
