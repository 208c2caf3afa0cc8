import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, ClientBase } from 'pg'
import { downloadArchive } from '../ops/backup/copies.ts'
import type { Manifest } from '../ops/backup/manifest.ts'
import { configuredSigningKey, readIdentities, readPassphraseFile } from '../ops/backup/passphrase.ts'
import { checkArchive, type ArchiveFile } from '../ops/backup/read-archive.ts'
import { restoreArchive, type Restored } from '../ops/backup/restore.ts'
import { verifySignature } from '../ops/backup/signature.ts'
import type { Config } from '../config/config.ts'
import { restoredConfig } from '../config/event-values.ts'
import { queriesOf } from '../db/database.ts'
import { byCommand, recordAdminAction } from '../db/admin-actions.ts'
import { StartError } from '../lib/errors.ts'
import { loggedChange } from '../lib/logged-fields.ts'
import { publicKeyOf } from '../lib/ssh-signature.ts'
import { linesOf, openArchiveStore, outputPath, readDescriptorLine, summaryOf } from './backup.ts'
import { commandLog, openConnection, providerContext } from './connection.ts'
import { announceDatabase } from './existing-data.ts'
import { isConfigured, loadConfig, overriddenKeys, readExistingConfig } from './load-config.ts'
import { finishRestore, prepareFiles, type Brought } from './pending-restore.ts'
import type { ProcessContext } from './process-context.ts'
import { openPostgres } from './store.ts'

export interface RestoreCommand {
  readonly into?: string
  readonly check?: boolean
  readonly passphraseFd?: number
  readonly identity?: string
  readonly fromStore?: boolean
  readonly acceptUnencrypted?: boolean
  readonly signedBy?: readonly string[]
  readonly acceptUnsigned?: boolean
  readonly json?: boolean
}

/** `pennant restore`: nothing is changed unless the whole archive is intact. */
export async function restore(
  given: ProcessContext,
  archive: string,
  command: RestoreCommand,
): Promise<void> {
  // With `--json`, standard output has one line.
  const context = command.json ? { ...given, print: () => {} } : given
  const config = command.check ? (await readExistingConfig(context)).config : await loadConfig(context)
  const path = command.fromStore ? await download(archive, config, context) : archive
  const file = await archiveFile(path, config, command)
  const manifest = await checkArchive(file)
  for (const line of linesOf(manifest)) context.print(line)
  context.print('The archive is intact.')
  if (file.verified) context.print(`It is signed by ${file.verified.signer}.`)
  const printJson = (isRestored: boolean) =>
    given.print(
      JSON.stringify({ ...summaryOf(manifest), signedBy: file.verified?.signer ?? null, isRestored }),
    )
  if (command.check) return command.json ? printJson(false) : undefined
  await announceDatabase(config, context)

  const log = commandLog(context)
  const uploads = await config.uploadProvider.start(providerContext(config, context))
  await using postgres = await openPostgres(config, log)
  {
    await using connection = await openConnection(postgres.address, 'pennant backup')
    const { client } = connection
    await requireUnused(client, config)
    const finished = await finishRestore(queriesOf(client), config.dataDir)
    if (finished === manifest.snapshotAt && command.into === undefined)
      context.print('Its rows were restored before; the restore that ended early is now complete.')
    else
      await restoreArchive(file, manifest, {
        client,
        into: command.into ?? null,
        uploads,
        beforeCommit: async (transaction, restored) => {
          await recordRestore(transaction, manifest)
          const files = await filesOf(restored, { config, context, manifest })
          await prepareFiles(queriesOf(transaction), config.dataDir, files)
        },
      })
    await finishRestore(queriesOf(client), config.dataDir).catch((cause: Error) => {
      const reason = `The rows are restored, but not the files in ${config.dataDir}: ${cause.message}.`
      throw new StartError(`${reason} Run the same restore again.`, { cause })
    })
  }
  context.print(`Restored the database and the uploads (${manifest.uploads?.length ?? 0}).`)
  await report(config, context)
  if (command.json) printJson(true)
}

interface Restoring {
  readonly config: Config
  readonly context: ProcessContext
  readonly manifest: Manifest
}

/** What the data folder gets: a token key that the configuration sets stays with the operator. */
async function filesOf(
  { keys, config: text }: Restored,
  { config, context, manifest }: Restoring,
): Promise<Brought> {
  const isKeySet = await isConfigured('tokenKey', context)
  if (isKeySet && config.tokenKey.toString('base64') !== keys.tokenKey)
    context.complain(
      'The `tokenKey` of the configuration differs from that of the archive. Set the key from `keys.json` in the archive, or run ' +
        '`pennant token-key --accept`, which makes all earlier tokens invalid.',
    )
  const event = await restoredConfig(text).catch((error: Error) => {
    context.complain(
      `The configuration in the archive is not valid here: ${error.message}. Its values are comments in restored.yaml.`,
    )
    return text.replaceAll(/^/gm, '# ')
  })
  return { snapshotAt: manifest.snapshotAt, tokenKey: isKeySet ? null : keys.tokenKey, event }
}

async function report({ dataDir }: Config, context: ProcessContext): Promise<void> {
  const overridden = await overriddenKeys(context)
  if (overridden.length > 0)
    context.complain(
      `The configuration has other values than the archive, and they count: ${overridden.join(', ')}. Remove them from the ` +
        'configuration to go on with those of the archive.',
    )
  context.print(
    `${dataDir}/restored.yaml has the name, times and other values of the event; its comments, what was set for the earlier machine.`,
  )
  context.print('Run `pennant verify` to check the standings, then start the server.')
}

/** The archive, after its signature was verified. */
async function archiveFile(path: string, config: Config, command: RestoreCommand): Promise<ArchiveFile> {
  const { passphraseFd, identity, acceptUnencrypted = false, acceptUnsigned: mayBeUnsigned = false } = command
  const signedBy = await signersOf(config, command)
  // A descriptor can be read only once, the archive is read twice.
  let passphrase: Promise<string | null> | undefined
  return {
    path,
    passphrase: () => (passphrase ??= readPassphrase(config, passphraseFd)),
    identities: async () => (identity === undefined ? [] : await readIdentities(identity)),
    mayBePlain: acceptUnencrypted || ((passphraseFd ?? identity) === undefined && !isEncrypting(config)),
    verified: await verifySignature(path, { signedBy, mayBeUnsigned }),
  }
}

/** What the command names comes before the configuration, and that before the key of this machine. */
async function signersOf({ backup }: Config, { signedBy = [] }: RestoreCommand): Promise<readonly string[]> {
  if (signedBy.length > 0) return signedBy
  if (backup.signedBy.length > 0) return backup.signedBy
  const own = await configuredSigningKey(backup)
  return own === null ? [] : [publicKeyOf(own)]
}

/** A busy PostgreSQL lists closed connections for a moment, those of this command's migrations too. */
const UNUSED_TRIES = 20
const UNUSED_EVERY_MS = 100

/** A running server would write to the tables that are replaced. */
export async function requireUnused(client: Client, { database }: Config): Promise<void> {
  // The embedded database has one connection of this process.
  const own = database.url === undefined ? 1 : 0
  for (let tries = 1; (await countConnections(client)) > own; tries += 1) {
    if (tries === UNUSED_TRIES)
      throw new StartError(
        'A server or a command of Pennant uses the database. Stop it first. Nothing was changed.',
      )
    await sleep(UNUSED_EVERY_MS)
  }
}

async function countConnections(client: Client): Promise<number> {
  const { rows } = await client.query<{ count: string }>(`
    select count(*) from pg_stat_activity
    where datname = current_database() and application_name = 'pennant' and pid <> pg_backend_pid()`)
  return Number(rows[0]?.count)
}

function isEncrypting({ backup: { passphraseFile, recipients } }: Config): boolean {
  return passphraseFile !== undefined || recipients.length > 0
}

/** Downloads an archive of `backup.store` into the folder of backups, and returns its path. */
async function download(name: string, config: Config, context: ProcessContext): Promise<string> {
  const store = await openArchiveStore(config, context)
  if (store === null) throw new StartError('There is no `backup.store` in the configuration.')
  const path = await outputPath(config, undefined, basename(name))
  await downloadArchive(store, name, path)
  context.print(`Downloaded ${path}.`)
  return path
}

/** Never an argument or a variable: other users can read those. Null if none is configured. */
async function readPassphrase(
  { backup: { passphraseFile } }: Config,
  descriptor: number | undefined,
): Promise<string | null> {
  if (descriptor !== undefined) return await readDescriptorLine(descriptor)
  return passphraseFile === undefined ? null : await readPassphraseFile(passphraseFile)
}

async function recordRestore(client: ClientBase, { snapshotAt }: Manifest): Promise<void> {
  const change = loggedChange(null, { snapshotAt })
  const action = { ...byCommand, ...change, action: 'database.restore', target: null }
  await queriesOf(client).query(recordAdminAction(action))
}
