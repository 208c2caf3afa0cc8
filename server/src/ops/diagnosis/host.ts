import { execFile } from 'node:child_process'
import { existsSync, type Stats } from 'node:fs'
import { access, constants, stat, statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { promisify } from 'node:util'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { readLastBackup, readLastBackupPath } from '../../db/backups.ts'
import { hasOtherKey } from '../../db/token-key.ts'
import { describeEndedNode } from '../../lib/node-lines.ts'
import { reasonOf } from '../../lib/reason.ts'
import { readSigningKey, signaturePath } from '../../lib/ssh-signature.ts'
import { describeFewFiles, FEW_FILES_REMEDY, MIN_OPEN_FILES, openFileLimit } from '../../lib/open-files.ts'
import { failure, ok, unchecked, warning, type Check, type Subject } from './check.ts'
import { databaseOf } from './database.ts'

const GIB = 1024 ** 3
/** A backup that is a little late is normal while it is written. */
const LATE_FACTOR = 1.5
const MANUAL_BACKUP_MS = 24 * HOUR_MS
const LEAST_KEY_BYTES = 9
/** Values that stand in examples and guides. */
const COMMON = /^(?:change[-_ ]?me.*|secret|password|postgres|pennant|admin|example|test|1234+|x{4,}|<.*>)$/i
const SECRET_NAME = /secret|password|token|apikey/i
const MAX_DEPTH = 6

/** The paths of secrets in the configuration whose value is a common one. */
function commonSecrets(value: unknown, path: readonly string[] = []): string[] {
  if (typeof value === 'string') {
    const isSecret = SECRET_NAME.test(path.at(-1) ?? '') && COMMON.test(value)
    const password = URL.canParse(value) ? decodeURIComponent(new URL(value).password) : ''
    return isSecret || COMMON.test(password) ? [path.join('.')] : []
  }
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value) || path.length > MAX_DEPTH)
    return []
  return Object.entries(value).flatMap(([key, each]) => commonSecrets(each, [...path, key]))
}

export const hostChecks: readonly Check[] = [
  {
    name: 'token-key',
    async run({ config: { tokenKey }, db }) {
      if (new Set(tokenKey).size < LEAST_KEY_BYTES)
        return failure(
          'The token key is not random, so anyone can sign in as any team.',
          'Set one from `pennant token-key`.',
        )
      // Without a migrated database there is nothing to compare with, which another check says.
      const isOther = typeof db !== 'string' && (await hasOtherKey(db, tokenKey).catch(() => false))
      return isOther
        ? failure(
            'The token key differs from the one that this database was used with, so the server would not start.',
            'Configure the earlier key, or run `pennant token-key --accept` to invalidate all tokens.',
          )
        : ok()
    },
  },
  {
    name: 'default-secrets',
    run({ config }) {
      const found = commonSecrets(config)
      return found.length === 0
        ? ok()
        : failure(
            `The configuration has well-known secrets: ${found.join(', ')}.`,
            'Replace each by a random one, for example from `openssl rand -hex 32`.',
          )
    },
  },
  {
    name: 'disk-space',
    async run({ config }) {
      const disk = await statfs(config.dataDir).catch(() => null)
      if (!disk) return unchecked('The data folder does not exist yet.')
      const free = disk.bavail * disk.bsize
      return free >= GIB
        ? ok()
        : failure(
            `The data folder has ${(free / GIB).toFixed(1)} GiB left.`,
            'Free some space: uploads fail, and PostgreSQL stops when its disk is full.',
          )
    },
  },
  { name: 'file-descriptors', run: checkDescriptors },
  {
    name: 'node',
    run({ now, nodeVersion }) {
      const ended = describeEndedNode(now(), nodeVersion)
      return ended ? warning(ended.finding, ended.remedy) : ok()
    },
  },
  { name: 'backup', needsDatabase: true, run: checkBackup },
  { name: 'backup-folder', run: checkBackupFolder },
  { name: 'backup-signature', run: checkSignature },
]

function checkDescriptors({ config }: Subject) {
  const allowed = openFileLimit()
  if (allowed === Infinity) return unchecked('This system does not report its limit.')
  const problem = describeFewFiles(config.http.maxConnections, allowed)
  if (problem === null) return ok()
  return allowed < MIN_OPEN_FILES
    ? failure(
        `This process may open ${allowed} files; the server does not start with fewer than ${MIN_OPEN_FILES}.`,
        FEW_FILES_REMEDY,
      )
    : warning(problem, FEW_FILES_REMEDY)
}

async function checkBackupFolder({ config }: Subject) {
  const folder = resolve(config.dataDir, config.backup.folder)
  try {
    await requireWritable(folder, await stat(config.dataDir).catch(() => null))
    return ok()
  } catch (error) {
    return failure(
      `Backups cannot be written to ${folder}: ${reasonOf(error)}.`,
      'Correct `backup.folder`, or let the user of the server write there.',
    )
  }
}

/** A folder that does not exist yet is created in the one above. */
async function requireWritable(folder: string, owner: Owner | null): Promise<void> {
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || dirname(folder) === folder) throw error
  })
  if (!found) return await requireWritable(dirname(folder), owner)
  if (!found.isDirectory()) throw Object.assign(new Error(folder), { code: 'ENOTDIR' })
  await access(folder, constants.W_OK | constants.X_OK)
  await testAsOwner(owner, ['-w', folder, '-a', '-x', folder])
}

/** Root can read and write nearly everything: what counts is the user of the server, who owns the data folder. */
async function testAsOwner(owner: Owner | null, condition: readonly string[]): Promise<void> {
  if (process.getuid?.() !== 0 || owner === null || owner.uid === 0) return
  const { uid, gid } = owner
  await promisify(execFile)('test', condition, { uid, gid, cwd: '/' }).catch(() => {
    throw new Error(`the user of the server (${uid}) has no permission`)
  })
}

type Owner = Pick<Stats, 'uid' | 'gid'>

async function checkBackup(subject: Subject) {
  const { schedule } = subject.config.backup
  const at = await readLastBackup(databaseOf(subject))
  const ageMs = at === null ? Infinity : subject.now() - at
  const maxAgeMs = schedule > 0 ? schedule * LATE_FACTOR : MANUAL_BACKUP_MS
  if (ageMs <= maxAgeMs) return ok()
  const age = at === null ? 'There is no backup' : `The last backup is ${Math.round(ageMs / HOUR_MS)} h old`
  return warning(
    `${age}${schedule > 0 ? ', although backups are scheduled' : ''}.`,
    schedule > 0
      ? 'Look for failed backups in the log of the worker.'
      : 'Set `backup.schedule`, or run `pennant backup`.',
  )
}

async function checkSignature({ config, db }: Subject) {
  const { signingKeyFile } = config.backup
  if (signingKeyFile === undefined) return ok()
  try {
    await readSigningKey(signingKeyFile)
    await testAsOwner(await stat(config.dataDir).catch(() => null), ['-r', signingKeyFile])
  } catch (error) {
    return failure(
      `Backups cannot be signed with ${signingKeyFile}: ${reasonOf(error)}.`,
      'Correct `backup.signingKeyFile`, or let the user of the server read it. Until then no backup is made.',
    )
  }
  const path = typeof db === 'string' ? null : await readLastBackupPath(db).catch(() => null)
  // An archive that was moved away took its signature along.
  if (path === null || !existsSync(path) || existsSync(signaturePath(path))) return ok()
  return warning(
    `The last backup, ${path}, is not signed, although \`backup.signingKeyFile\` is set.`,
    'Run `pennant backup`, and start the server again if it was running when the key was set.',
  )
}
