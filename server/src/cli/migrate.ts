import { openDatabase } from '../db/database.ts'
import { findPendingOnData, migrate, type PendingOnData } from '../db/migrate.ts'
import { plural } from '../lib/plural.ts'
import { backup } from './backup.ts'
import { loadConfig } from './load-config.ts'
import { createLog, isReadableLog } from './log.ts'
import type { ProcessContext } from './process-context.ts'
import { openPostgres } from './store.ts'

export interface MigrateCommand {
  /** Undefined: asks on a terminal, and otherwise makes none. */
  readonly backup?: boolean
}

/** `pennant migrate`: applies pending migrations, whatever the configuration's migration setting. */
export async function migrateDatabase(context: ProcessContext, command: MigrateCommand): Promise<void> {
  const config = await loadConfig(context)
  const log = createLog({ level: config.logLevel, isReadable: isReadableLog(context), context })
  await using postgres = await openPostgres(config, log)
  const db = await openDatabase({ ...postgres.address, log, maxPoolSize: 1 })
  const pending = await findPendingOnData(db).finally(() => db.close())
  if (pending && (command.backup ?? (await isBackupWanted(pending, context)))) await backup(context, {})
  await migrate({ ...postgres.address, log })
  context.print('The database is up to date.')
}

async function isBackupWanted(
  { count, hasRecentBackup }: PendingOnData,
  context: ProcessContext,
): Promise<boolean> {
  if (!context.isTerminal || hasRecentBackup) return false
  const answer = await context.ask(
    `${plural(count, 'migration')} of a database with teams. Only a backup leads back to the previous version. Make one first? [Y/n] `,
  )
  return !/^\s*no?\s*$/i.test(answer ?? '')
}
