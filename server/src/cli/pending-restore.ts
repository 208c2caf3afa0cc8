import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Config } from '../config/config.ts'
import { queriesOf, type DatabaseAddress, type Queries } from '../db/database.ts'
import { hasTable } from '../db/has-table.ts'
import type { Log } from '../lib/log.ts'
import { openConnection } from './connection.ts'
import { openDataFolder, PENDING_FILE, replaceValue, RESTORED_FILE, TOKEN_KEY_FILE } from './data-folder.ts'
import { loadConfig } from './load-config.ts'
import type { ProcessContext } from './process-context.ts'

// A restore, and an import with the key of its source, change rows and files. The files are prepared before the commit; a marker in the transaction says that
// they count, and whoever uses the database next puts them in place if the command was killed in between.

/** What the command puts into the data folder. */
const Brought = z.strictObject({
  /** Of an import, its own time. */
  snapshotAt: z.string(),
  /** Null if the configuration sets the key. */
  tokenKey: z.string().nullable(),
  /** `restored.yaml`; null for an import. */
  event: z.string().nullable(),
})
export type Brought = z.infer<typeof Brought>

const Pending = Brought.extend({ id: z.uuid() })

/** Run it in the transaction of the command. */
export async function prepareFiles(tx: Queries, dataDir: string, brought: Brought): Promise<void> {
  const id = randomUUID()
  await openDataFolder(dataDir)
  await replaceValue(dataDir, PENDING_FILE, JSON.stringify({ ...brought, id }))
  await tx.query(sql`
    insert into markers (key, value, expires_at) values ('restore', ${id}, 'infinity')
    on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at`)
}

/** Puts the files of a committed restore in place. Returns the time of its snapshot, or null if there is none. */
export async function finishRestore(db: Queries, dataDir: string): Promise<string | null> {
  const path = join(dataDir, PENDING_FILE)
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null) return null
  const pending = Pending.parse(JSON.parse(text))
  if (!(await hasTable(db, 'markers'))) return null
  const rows = await db.query(sql`select from markers where key = 'restore' and value = ${pending.id}`)
  if (rows.length === 0) return null
  if (pending.tokenKey !== null) await replaceValue(dataDir, TOKEN_KEY_FILE, pending.tokenKey)
  if (pending.event !== null) await replaceValue(dataDir, RESTORED_FILE, pending.event.trimEnd())
  await rm(path)
  return pending.snapshotAt
}

/** Finishes a restore that was killed after its commit, and returns the configuration that counts then. */
export async function completeRestore(
  config: Config,
  { address, log }: { readonly address: DatabaseAddress; readonly log: Log },
  context: ProcessContext,
): Promise<Config> {
  if (!existsSync(join(config.dataDir, PENDING_FILE))) return config
  await using connection = await openConnection(address, 'pennant')
  const snapshotAt = await finishRestore(queriesOf(connection.client), config.dataDir)
  if (snapshotAt === null) return config
  log.warn({ snapshotAt }, 'put the files of an interrupted restore or import in place')
  return await loadConfig(context)
}
