import { generateKeyPairSync } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { queriesOf } from '../db/database.ts'
import { copyArchive } from '../ops/backup/copies.ts'
import { createBackup } from '../ops/backup/create.ts'
import type { Encryption } from '../ops/backup/encryption.ts'
import { keysOf, type Manifest } from '../ops/backup/manifest.ts'
import { backupName } from '../ops/backup/names.ts'
import { configuredEncryption, configuredSigningKey, firstLine } from '../ops/backup/passphrase.ts'
import type { Config } from '../config/config.ts'
import { archivedConfig } from '../config/event-values.ts'
import { recordBackup } from '../db/backups.ts'
import { StartError } from '../lib/errors.ts'
import { giveToFolderOwner, makeOwnedFolder } from '../lib/folder-owner.ts'
import { refuseToCreate } from '../lib/reason.ts'
import { publicKeyOf } from '../lib/ssh-signature.ts'
import { openConnection, providerContext } from './connection.ts'
import { openExistingPostgres, requireTables } from './existing-data.ts'
import type { ProcessContext } from './process-context.ts'

export interface BackupCommand {
  readonly output?: string
  readonly withSecrets?: boolean
  readonly passphraseFd?: number
  readonly recipient?: readonly string[]
  readonly json?: boolean
}

/** `pennant backup`: the server may run meanwhile. The database is not migrated. */
export async function backup(context: ProcessContext, command: BackupCommand): Promise<void> {
  await using postgres = await openExistingPostgres(context, { needsKey: true })
  const { config } = postgres
  await using connection = await openConnection(postgres.address, 'pennant backup')
  await requireTables(queriesOf(connection.client), config, context)
  const encryption = await encryptionOf(config, command)
  const signingKey = await configuredSigningKey(config.backup)
  const path = await outputPath(config, command.output, backupName(context.now(), encryption))
  const store = command.output === undefined ? await openArchiveStore(config, context) : null
  const uploads = await config.uploadProvider.start(providerContext(config, context))
  const hasSecrets = command.withSecrets ?? false
  const source = {
    client: connection.client,
    uploads: uploads.contents,
    keys: keysOf(config),
    config: await archivedConfig(config, hasSecrets ? 'included' : 'hidden'),
    hasSecrets,
  }
  const { bytes, manifest, files } = await createBackup(source, { path, encryption, signingKey })
  if (store) await copyArchive(store, files)
  await recordBackup(queriesOf(connection.client), { bytes, path, snapshotAt: manifest.snapshotAt })
  const isSigned = signingKey !== null
  if (command.json) return context.print(JSON.stringify({ path, bytes, isSigned, ...summaryOf(manifest) }))
  const facts = [encryption === null ? 'not encrypted' : 'encrypted', ...(isSigned ? ['signed'] : [])]
  context.print(`Wrote ${path} (${bytes} bytes, ${facts.join(', ')}).`)
  if (store) context.print('Copied it to `backup.store`.')
  for (const line of linesOf(manifest)) context.print(line)
}

/** `pennant signing-key`: creates a key for `backup.signingKeyFile` and prints its public key for `backup.signedBy`. */
export async function createSigningKey(context: ProcessContext, path: string): Promise<void> {
  const { privateKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' })
  await writeFile(path, pem, { flag: 'wx', mode: 0o600 }).catch(refuseToCreate(path))
  await giveToFolderOwner(path)
  context.print(publicKeyOf(privateKey))
}

export async function outputPath(
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

/** The store of archives that the configuration names, or null. */
export async function openArchiveStore(config: Config, context: ProcessContext) {
  return (await config.backup.store?.start(providerContext(config, context))) ?? null
}

export async function readDescriptorLine(descriptor: number): Promise<string> {
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

export function summaryOf({ snapshotAt, tables, uploads, hasSecrets, migrations }: Manifest) {
  return {
    snapshotAt,
    schema: migrations.at(-1)?.name ?? null,
    rows: Object.fromEntries(tables.map(({ name, rows }) => [name, rows])),
    uploads: uploads?.length ?? null,
    hasSecrets,
  }
}

export function linesOf(manifest: Manifest): string[] {
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
