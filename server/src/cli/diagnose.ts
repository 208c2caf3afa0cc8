import { maxConnectionsOf } from '../db/database.ts'

const GIB = 1024 ** 3
const MAX_CLOCK_DIFFERENCE_MS = 2_000
/** For commands such as this one while the server runs. */
const COMMAND_CONNECTIONS = 3

/** What `pennant doctor` measured. */
export interface Facts {
  readonly origin: string
  /** Unix milliseconds. */
  readonly now: number
  readonly startTime: number
  readonly endTime: number
  readonly tokenKey: Buffer
  readonly hasMail: boolean
  readonly hasCaptcha: boolean
  readonly freeBytes: number
  readonly maxPoolSize: number
  readonly database: {
    /** Unix milliseconds on the database's clock, read at `now`. */
    readonly now: number
    readonly fsync: string
    readonly synchronousCommit: string
    readonly maxConnections: number
  }
  /** Names of visible challenges that no flag can solve. */
  readonly withoutFlags: readonly string[]
  /** Names of dynamic challenges that share a secret. */
  readonly sharedSecrets: readonly string[]
  /** Why a test upload failed; null if it was stored and read. */
  readonly uploadFailure: string | null
}

export interface Diagnosis {
  readonly name: string
  readonly severity: 'ok' | 'warning' | 'error'
  readonly finding: string
  /** Empty if nothing has to be done. */
  readonly remedy: string
}

type Check = (facts: Facts) => Omit<Diagnosis, 'name'> | null

const fault = (severity: 'warning' | 'error', finding: string, remedy: string) => ({
  severity,
  finding,
  remedy,
})

/** Each returns null if all is well. */
const CHECKS: Readonly<Record<string, Check>> = {
  'event-times': ({ startTime, endTime, now }) => {
    if (endTime <= startTime)
      return fault('error', 'The event ends before it starts.', 'Correct `startTime` and `endTime`.')
    return endTime <= now
      ? fault('warning', 'The event is over.', 'Set `endTime` if this is not intended.')
      : null
  },
  'public-url': ({ origin }) =>
    origin.startsWith('https://')
      ? null
      : fault(
          'warning',
          `The public URL ${origin} is not encrypted.`,
          'Set `origin` to the https:// URL that players type.',
        ),
  'token-key': ({ tokenKey }) =>
    new Set(tokenKey).size > 8
      ? null
      : fault(
          'error',
          'The token key is not random, so anyone can sign in as any team.',
          'Set one from `pennant token-key`.',
        ),
  mail: ({ hasMail }) =>
    hasMail
      ? null
      : fault(
          'warning',
          'Mail is not configured: addresses are not verified.',
          'Set `email`, then run `pennant mail test --to`.',
        ),
  captcha: ({ hasCaptcha }) =>
    hasCaptcha
      ? null
      : fault(
          'warning',
          'No captcha protects registration.',
          'Set `captcha`, for example captcha/proof-of-work.',
        ),
  'disk-space': ({ freeBytes }) =>
    freeBytes >= GIB
      ? null
      : fault(
          'error',
          `The data folder has ${(freeBytes / GIB).toFixed(1)} GiB left.`,
          'Free some space: PostgreSQL stops when the disk is full.',
        ),
  'database-durability': ({ database: { fsync, synchronousCommit } }) =>
    fsync === 'on' && synchronousCommit !== 'off'
      ? null
      : fault(
          'error',
          'PostgreSQL may lose acknowledged solves: fsync or synchronous_commit is off.',
          'Set both to on.',
        ),
  'database-connections': ({ maxPoolSize, database: { maxConnections } }) =>
    maxConnectionsOf(maxPoolSize) + COMMAND_CONNECTIONS <= maxConnections
      ? null
      : fault(
          'error',
          `PostgreSQL allows ${maxConnections} connections, fewer than one process may open.`,
          'Raise max_connections or lower `database.maxPoolSize`.',
        ),
  'clock-difference': ({ now, database }) =>
    Math.abs(now - database.now) <= MAX_CLOCK_DIFFERENCE_MS
      ? null
      : fault(
          'error',
          `The clocks of this machine and the database differ by ${Math.round(Math.abs(now - database.now) / 1000)} s.`,
          'Synchronize both with NTP.',
        ),
  'challenge-flags': ({ withoutFlags }) =>
    withoutFlags.length === 0
      ? null
      : fault(
          'error',
          `Visible challenges have no flag: ${withoutFlags.slice(0, 5).join(', ')}.`,
          'Add a flag or hide them.',
        ),
  'scoring-secrets': ({ sharedSecrets }) =>
    sharedSecrets.length === 0
      ? null
      : fault(
          'error',
          `Dynamic challenges share a secret: ${sharedSecrets.slice(0, 5).join(', ')}.`,
          'Give each a secret of its own.',
        ),
  uploads: ({ uploadFailure }) =>
    uploadFailure === null
      ? null
      : fault(
          'error',
          `A test upload failed: ${uploadFailure}.`,
          'Check `uploadProvider` and the permissions of its folder or bucket.',
        ),
}

/** One result for each check. */
export function diagnose(facts: Facts): Diagnosis[] {
  return Object.entries(CHECKS).map(([name, check]) => {
    const found = check(facts)
    return found ? { name, ...found } : { name, severity: 'ok', finding: '', remedy: '' }
  })
}
