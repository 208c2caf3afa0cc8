import { createHash } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import type { Client } from 'pg'
import type { Config } from '../config/config.ts'
import { StartError } from '../lib/errors.ts'
import { commandLog, openConnection, providerContext } from './connection.ts'
import { diagnose, type Facts } from './diagnose.ts'
import { loadConfig } from './load-config.ts'
import type { ProcessContext } from './process-context.ts'
import { openPostgres, prepare } from './store.ts'

/** `pennant doctor`: checks this deployment from inside. Fails if there is an error; warnings alone do not fail. */
export async function doctor(
  context: ProcessContext,
  { json = false }: { readonly json?: boolean },
): Promise<void> {
  const config = await loadConfig(context)
  const log = commandLog(context)
  await using postgres = await openPostgres(config, log)
  await prepare(config, postgres.address, log)
  await using connection = await openConnection(postgres.address, 'pennant doctor')
  const results = diagnose({
    ...config,
    hasMail: config.email !== undefined,
    hasCaptcha: config.captcha !== undefined,
    maxPoolSize: config.database.maxPoolSize,
    freeBytes: await freeBytes(config.dataDir),
    uploadFailure: await tryUpload(config, context),
    ...(await readDatabase(connection.client, context.now)),
  })
  if (json) context.print(JSON.stringify({ checks: results }))
  else
    for (const { name, severity, finding, remedy } of results)
      context.print(
        severity === 'ok' ? `ok      ${name}` : `${severity.padEnd(7)} ${name}: ${finding} ${remedy}`,
      )
  const errors = results.filter(({ severity }) => severity === 'error').length
  if (errors > 0) throw new StartError(`Found ${errors} ${errors === 1 ? 'error' : 'errors'}.`)
}

async function freeBytes(folder: string): Promise<number> {
  const disk = await statfs(folder).catch(() => null)
  return disk ? disk.bavail * disk.bsize : Infinity
}

/** Stores, finds and removes a small file. */
async function tryUpload(config: Config, context: ProcessContext): Promise<string | null> {
  const content = Buffer.from(`pennant doctor ${context.now()}`)
  const key = `${createHash('sha256').update(content).digest('hex')}/doctor.txt`
  try {
    const uploads = await config.uploadProvider.start(providerContext(config, context))
    await uploads.store(key, content)
    const found = await uploads.find(key)
    await uploads.remove(key)
    return found?.size === content.length ? null : 'the stored file was not found'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

type FromDatabase = Pick<Facts, 'now' | 'database' | 'withoutFlags' | 'sharedSecrets'>

async function readDatabase(client: Client, clock: () => number): Promise<FromDatabase> {
  const { rows } = await client.query<
    Facts['database'] & { withoutFlags: string[]; sharedSecrets: string[] }
  >(`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as now, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as "synchronousCommit",
      current_setting('max_connections')::int as "maxConnections",
      array(select name from challenges where not hidden and scoring_kind <> 'dynamic' and flags = '[]' order by name)
        as "withoutFlags",
      array(select name from challenges c where scoring_kind = 'dynamic' and scoring_secret <> '' and exists (
        select from challenges o where o.id <> c.id and o.scoring_kind = 'dynamic' and o.scoring_secret = c.scoring_secret)
        order by name) as "sharedSecrets"`)
  const now = clock()
  const [row] = rows
  if (!row) throw new Error('a select without a table returned no row')
  const { withoutFlags, sharedSecrets, ...database } = row
  return { now, database, withoutFlags, sharedSecrets }
}
