import { createReadStream } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseTimestamp } from '@pennant/contract/timestamps.ts'
import type { Client, ClientBase } from 'pg'
import { copyArchive, downloadArchive } from '../backup/copies.ts'
import { createBackup } from '../backup/create.ts'
import { keysOf, type Manifest } from '../backup/manifest.ts'
import { checkArchive, type ArchiveFile } from '../backup/read-archive.ts'
import { restoreArchive, type Restored } from '../backup/restore.ts'
import type { Encryption } from '../backup/encryption.ts'
import { backupName } from '../backup/names.ts'
import { configuredEncryption, firstLine, readIdentities, readPassphraseFile } from '../backup/passphrase.ts'
import type { Config } from '../config/config.ts'
import { printedConfig } from '../config/print-config.ts'
import { recordBackup } from '../db/backups.ts'
import { byCommand, recordAdminAction } from '../db/admin-actions.ts'
import type { Queries, Statement } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'
import { StartError } from '../lib/errors.ts'
import { makeOwnedFolder } from '../lib/folder-owner.ts'
import { loggedChange } from '../lib/logged-fields.ts'
import { commandLog, openConnection, providerContext } from './connection.ts'
import { openDataFolder, replaceValue, TOKEN_KEY_FILE } from './data-folder.ts'
import { isConfigured, loadConfig } from './load-config.ts'
import type { ProcessContext } from './process-context.ts'
import { openPostgres } from './store.ts'

export interface BackupCommand {
  readonly output?: string
  readonly withSecrets?: boolean
  readonly passphraseFd?: number
  readonly recipient?: readonly string[]
  readonly json?: boolean
}

export interface RestoreCommand {
  readonly into?: string
  readonly check?: boolean
  readonly passphraseFd?: number
  readonly identity?: string
  readonly fromStore?: boolean
  readonly acceptUnencrypted?: boolean
}

/** `pennant backup`: the server may run meanwhile. The database is not migrated. */
export async function backup(context: ProcessContext, command: BackupCommand): Promise<void> {
  const config = await loadConfig(context)
  const log = commandLog(context)
  const encryption = await encryptionOf(config, command)
  const path = await outputPath(config, command.output, backupName(context.now(), encryption))
  const store = command.output === undefined ? await openStore(config, context) : null
  const uploads = await config.uploadProvider.start(providerContext(config, context))
  await using postgres = await openPostgres(config, log)
  await using connection = await openConnection(postgres.address, 'pennant backup')
  await requireSchema(connection.client)
  const hasSecrets = command.withSecrets ?? false
  const source = {
    client: connection.client,
    uploads: uploads.contents,
    keys: keysOf(config),
    config: `${await printedConfig(config, hasSecrets ? 'included' : 'hidden')}\n`,
    hasSecrets,
  }
  const { bytes, manifest } = await createBackup(source, { path, encryption })
  if (store) await copyArchive(store, { path, size: bytes })
  await record(connection.client, { bytes, path, snapshotAt: manifest.snapshotAt })
  if (command.json) return context.print(JSON.stringify({ path, bytes, ...summaryOf(manifest) }))
  context.print(`Wrote ${path} (${bytes} bytes, ${encryption === null ? 'not encrypted' : 'encrypted'}).`)
  if (store) context.print('Copied it to `backup.store`.')
  for (const line of linesOf(manifest)) context.print(line)
}

/** A database that an older version made has no table for it. */
async function record(client: Client, made: Parameters<typeof recordBackup>[1]): Promise<void> {
  if (await hasTable(client, 'backups')) await recordBackup(queriesOf(client), made)
}

/** An archive of an older version has no chain of actions. */
async function noteRestore(client: ClientBase, { snapshotAt }: Manifest): Promise<void> {
  if (!(await hasTable(client, 'action_chain'))) return
  const change = loggedChange(null, { snapshotAt })
  const action = { ...byCommand, ...change, action: 'database.restore', target: null }
  await queriesOf(client).query(recordAdminAction(action))
}

/** A time that organisers have set is in the database, and the configuration's does not count. */
async function hasStoredStart(client: ClientBase): Promise<boolean> {
  if (!(await hasTable(client, 'settings'))) return false
  const { rows } = await client.query(`select 1 from settings where data ->> 'startTime' is not null`)
  return rows.length > 0
}

async function hasTable(client: ClientBase, name: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>('select to_regclass($1) is not null as found', [
    name,
  ])
  return rows[0]?.found ?? false
}

function queriesOf(client: ClientBase): Queries {
  return {
    query: async <Row extends object>({ text, values }: Statement) =>
      (await client.query<Row>({ text, values })).rows,
  }
}

/** `pennant restore`: nothing is changed unless the whole archive is intact. */
export async function restore(
  context: ProcessContext,
  archive: string,
  {
    into,
    check = false,
    passphraseFd,
    identity,
    fromStore = false,
    acceptUnencrypted = false,
  }: RestoreCommand,
): Promise<void> {
  const config = await loadConfig(context)
  const path = fromStore ? await download(archive, config, context) : archive
  // A descriptor can be read only once, the archive is read twice.
  let passphrase: Promise<string | null> | undefined
  const file: ArchiveFile = {
    path,
    passphrase: () => (passphrase ??= readPassphrase(config, passphraseFd)),
    identities: async () => (identity === undefined ? [] : await readIdentities(identity)),
    mayBePlain: acceptUnencrypted || ((passphraseFd ?? identity) === undefined && !isEncrypting(config)),
  }
  const manifest = await checkArchive(file)
  for (const line of linesOf(manifest)) context.print(line)
  context.print('The archive is intact.')
  if (check) return

  const log = commandLog(context)
  const uploads = await config.uploadProvider.start(providerContext(config, context))
  await using postgres = await openPostgres(config, log)
  let restored: Restored
  let isStartStored: boolean
  {
    await using connection = await openConnection(postgres.address, 'pennant backup')
    await requireUnused(connection.client, config)
    restored = await restoreArchive(file, manifest, {
      client: connection.client,
      into: into ?? null,
      uploads,
      note: noteRestore,
    })
    isStartStored = await hasStoredStart(connection.client)
  }
  // The archive may be older than this version.
  await migrate({ ...postgres.address, log })
  await restoreKeys({ ...restored, isStartStored }, config, context)
  context.print(
    `Restored the database and the uploads (${restored.uploads}). Run \`pennant verify\` to check the standings.`,
  )
}

/** The values of the data folder belong to the database; values of the configuration stay with the operator. */
async function restoreKeys(
  { keys, isStartStored }: Pick<Restored, 'keys'> & { readonly isStartStored: boolean },
  config: Config,
  context: ProcessContext,
): Promise<void> {
  if (!(await isConfigured('tokenKey', context))) {
    await openDataFolder(config.dataDir)
    await replaceValue(config.dataDir, TOKEN_KEY_FILE, keys.tokenKey)
  } else if (config.tokenKey.toString('base64') !== keys.tokenKey) {
    context.complain(
      'The `tokenKey` of the configuration differs from that of the archive. Set the key from `keys.json` in the archive, or run ' +
        '`pennant token-key --accept`, which makes all earlier tokens invalid.',
    )
  }
  // Two events that are not scheduled have the same start.
  if (!isStartStored && config.startTime !== parseTimestamp(keys.startTime))
    context.complain(
      `The event of the archive starts at ${keys.startTime}, that of this configuration at another time or not at all. Set ` +
        `\`startTime: ${keys.startTime}\` before you start the server, and \`endTime\` and \`ctfName\` as in \`config.yaml\` of the archive.`,
    )
}

async function requireSchema(client: Client): Promise<void> {
  if (!(await hasTable(client, 'migrations')))
    throw new StartError('The database has no tables of Pennant, so there is nothing to back up.')
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

async function outputPath(
  { dataDir, backup: { folder } }: Config,
  output: string | undefined,
  name: string,
): Promise<string> {
  if (output !== undefined) return resolve(output)
  const path = resolve(dataDir, folder)
  await makeOwnedFolder(path, 0o700)
  return join(path, name)
}

async function encryptionOf(
  config: Config,
  { passphraseFd, recipient: recipients = [] }: BackupCommand,
): Promise<Encryption | null> {
  if (recipients.length > 0 && passphraseFd !== undefined)
    throw new StartError('Choose one: a passphrase, or recipients.')
  if (recipients.length > 0) return { kind: 'recipients', recipients }
  if (passphraseFd === undefined) return await configuredEncryption(config.backup)
  return { kind: 'passphrase', passphrase: await readDescriptorLine(passphraseFd) }
}

function isEncrypting({ backup: { passphraseFile, recipients } }: Config): boolean {
  return passphraseFile !== undefined || recipients.length > 0
}

async function openStore(config: Config, context: ProcessContext) {
  return (await config.backup.store?.start(providerContext(config, context))) ?? null
}

/** Downloads an archive of `backup.store` into the folder of backups, and returns its path. */
async function download(name: string, config: Config, context: ProcessContext): Promise<string> {
  const store = await openStore(config, context)
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

async function readDescriptorLine(descriptor: number): Promise<string> {
  try {
    return firstLine(await readDescriptor(descriptor))
  } catch {
    throw new StartError(`Could not read the passphrase from file descriptor ${descriptor}.`)
  }
}

async function readDescriptor(fd: number): Promise<string> {
  const parts: Buffer[] = []
  for await (const chunk of createReadStream('', { fd, end: 4095 })) parts.push(chunk as Buffer)
  return Buffer.concat(parts).toString()
}

function summaryOf({ snapshotAt, tables, uploads, hasSecrets, migrations }: Manifest) {
  return {
    snapshotAt,
    schema: migrations.at(-1)?.name ?? null,
    rows: Object.fromEntries(tables.map(({ name, rows }) => [name, rows])),
    uploads: uploads?.length ?? null,
    hasSecrets,
  }
}

function linesOf(manifest: Manifest): string[] {
  const { snapshotAt, schema, rows, uploads, hasSecrets } = summaryOf(manifest)
  const { teams = 0, challenges = 0, solves = 0, submissions = 0 } = rows
  return [
    `Snapshot of ${snapshotAt}, schema ${schema}.`,
    `Teams: ${teams}, challenges: ${challenges}, solves: ${solves}, submissions: ${submissions}.`,
    uploads === null
      ? 'Uploads are not included: the provider of uploads cannot list its files. Back up the bucket separately.'
      : `Uploads: ${uploads}.`,
    `The configuration is included ${hasSecrets ? 'with' : 'without'} its secrets.`,
  ]
}
