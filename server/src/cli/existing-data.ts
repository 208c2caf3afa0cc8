import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { openDatabase, type Queries } from '../db/database.ts'
import { hasTable } from '../db/has-table.ts'
import { requireMigrated } from '../db/migrate.ts'
import { StartError } from '../lib/errors.ts'
import { commandLog } from './connection.ts'
import { readIfThere, TOKEN_KEY_FILE } from './data-folder.ts'
import { readExistingConfig, sourceOf } from './load-config.ts'
import { completeRestore } from './pending-restore.ts'
import type { ProcessContext } from './process-context.ts'
import { openPostgres, storeOf, type Postgres, type Store } from './store.ts'

// The data of a server that has run. A command that opens it here creates no folder, database, table or key: in the wrong
// folder it would otherwise report an empty contest.

interface Needs {
  /** The command issues or keeps tokens, so a key that is made up would be wrong. */
  readonly needsKey?: boolean
}

/** Says on a terminal which database a command uses. */
export async function announceDatabase(config: Config, context: ProcessContext): Promise<void> {
  if (context.isTerminal) context.complain(`Using ${await describeDatabase(config, context)}.`)
}

export async function openExistingPostgres(
  context: ProcessContext,
  { needsKey = false }: Needs = {},
): Promise<Postgres & { readonly config: Config }> {
  const { config: configured, isKeyMissing } = await readExistingConfig(context)
  const missing = await missingDatabase(configured, context)
  if (missing !== null) throw new StartError(missing)
  await announceDatabase(configured, context)
  const log = commandLog(context)
  const postgres = await openPostgres(configured, log)
  try {
    const config = await completeRestore(configured, { ...postgres, log }, context)
    // A restore that was killed has brought the key.
    if (needsKey && isKeyMissing && config === configured)
      throw new StartError(
        `There is no token key: the configuration has no \`tokenKey\`, and there is no file ${join(config.dataDir, TOKEN_KEY_FILE)}. ${REMEDY}`,
      )
    return { ...postgres, config }
  } catch (error) {
    await postgres[Symbol.asyncDispose]()
    throw error
  }
}

/** The database with all migrations of this version. */
export async function openExistingStore(context: ProcessContext, needs: Needs = {}): Promise<Store> {
  const { config, ...postgres } = await openExistingPostgres(context, needs)
  return await storeOf(postgres, async () => {
    const db = await openDatabase({ ...postgres.address, log: commandLog(context), maxPoolSize: 1 })
    try {
      await requireTables(db, config, context)
      await requireMigrated(db)
      return { config, db }
    } catch (error) {
      await db.close()
      throw error
    }
  })
}

/** What to say if the embedded database was never created; otherwise null. */
export async function missingDatabase(config: Config, context: ProcessContext): Promise<string | null> {
  if (config.database.url !== undefined) return null
  if ((await readIfThere(join(config.dataDir, 'postgres', 'PG_VERSION'))) !== null) return null
  return `There is no database yet: ${await describeDatabase(config, context)} was never created. ${REMEDY}`
}

export async function requireTables(db: Queries, config: Config, context: ProcessContext): Promise<void> {
  if (!(await hasTable(db, 'migrations')))
    throw new StartError(
      `There are no tables of Pennant in ${await describeDatabase(config, context)}. ${REMEDY}`,
    )
}

const REMEDY =
  'Nothing was created. Run the command with the configuration of the server: in its folder or container, with its environment, or as ' +
  '`sudo pennant` beside the systemd service. A new server creates its data at the first start.'

/** Without user and password. */
async function describeDatabase(
  { database: { url }, dataDir }: Config,
  context: ProcessContext,
): Promise<string> {
  if (url === undefined)
    return `the embedded database of the data folder ${dataDir} (${await sourceOf('dataDir', context)})`
  const { host, pathname, searchParams } = new URL(url)
  const server = searchParams.get('host') ?? (host || 'this machine')
  return `the database ${pathname.slice(1)} at ${server} (${await sourceOf('database', context)})`
}
