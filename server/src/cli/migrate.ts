import { migrate } from '../db/migrate.ts'
import { loadConfig } from './load-config.ts'
import { createLog, isReadableLog } from './log.ts'
import type { Outside } from './outside.ts'
import { openPostgres } from './store.ts'

/** `pennant migrate`: applies what is missing, whatever the configuration says of migrations. */
export async function migrateDatabase(outside: Outside): Promise<void> {
  const config = await loadConfig(outside)
  const log = createLog({ level: config.logLevel, isReadable: isReadableLog(outside), outside })
  await using postgres = await openPostgres(config, log)
  await migrate({ ...postgres.address, log })
  outside.print('The database is up to date.')
}
