import { Client } from 'pg'
import type { Config } from '../config/config.ts'
import { clientConfig, type DatabaseAddress } from '../db/database.ts'
import { StartError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import { createLog, isReadableLog } from './log.ts'
import type { ProcessContext } from './process-context.ts'

/** Warnings of a command, on standard error. */
export function commandLog(context: ProcessContext): Log {
  // Standard output is reserved for the command's result.
  const quiet: ProcessContext = { ...context, print: context.complain }
  return createLog({ level: 'warn', isReadable: isReadableLog(context), context: quiet })
}

/** What a provider needs that a command starts. */
export function providerContext({ dataDir }: Pick<Config, 'dataDir'>, context: ProcessContext) {
  return { fetch: globalThis.fetch, log: commandLog(context), now: context.now, dataDir }
}

/** One connection for a command that reads in a transaction of its own. */
export async function openConnection(
  address: DatabaseAddress,
  name: string,
): Promise<{ readonly client: Client } & AsyncDisposable> {
  const client = new Client({ ...clientConfig(address), application_name: name })
  // A lost connection also fails the statement that is running.
  client.on('error', () => {})
  await client.connect().catch((cause: Error) => {
    throw new StartError(`cannot reach the database: ${cause.message}`, { cause })
  })
  return { client, [Symbol.asyncDispose]: () => client.end() }
}
