import { migrate } from '../db/migrate.ts'
import { loadConfig } from './load-config.ts'
import { createLog, isReadableLog } from './log.ts'
import type { ProcessContext } from './process-context.ts'
import { openPostgres } from './store.ts'

/** `pennant migrate`: applies pending migrations, whatever the configuration's migration setting. */
export async function migrateDatabase(context: ProcessContext): Promise<void> {
  const config = await loadConfig(context)
  const log = createLog({ level: config.logLevel, isReadable: isReadableLog(context), context })
  await using postgres = await openPostgres(config, log)
  await migrate({ ...postgres.address, log })
  context.print('The database is up to date.')
}
