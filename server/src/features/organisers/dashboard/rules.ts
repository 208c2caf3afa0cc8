import { HOUR_MS, MINUTE_MS } from '@pennant/contract/durations.ts'
import { MAX_ORGANISERS_WITH_SOLVES } from '@pennant/contract/overview.ts'
import type { Challenge, WorldView } from '../../../world/model.ts'
import type { OutboxState, QueueState } from './backlog.ts'
import { listed, type Code, type Finding } from './warnings.ts'

/** A running worker takes a job within seconds. */
const BOT_PATIENCE_MS = MINUTE_MS
/** Followers poll once a second. Short delays under load are normal. */
const STALE_AFTER_MS = 10_000
/** Tokens, gates and the audit use both clocks. */
const MAX_CLOCK_DIFFERENCE_MS = 2_000
const BACKUP_PATIENCE_MS = 10 * MINUTE_MS

export interface Providers {
  /** Names of the configured instancers. */
  readonly instancers: ReadonlySet<string>
  readonly hasBot: boolean
}

/** Teams with permissions whose solves count in the standings, by name. */
export function organisersWithSolves(world: WorldView): { readonly id: string; readonly name: string }[] {
  const found: { id: string; name: string }[] = []
  for (const { id, name, perms, banned } of world.teams()) {
    const isPlaying = perms !== 0 && !banned
    if (isPlaying && (world.solveCountOfTeam(id) > 0 || world.feedScoresOfTeam(id).length > 0))
      found.push({ id, name })
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, MAX_ORGANISERS_WITH_SOLVES)
}

export function organiserFindings(organisers: readonly { readonly name: string }[]): Finding[] {
  if (organisers.length === 0) return []
  const names = listed(organisers.map(({ name }) => name))
  return [
    {
      code: 'organiserSolves',
      text: `Teams of organisers have solves, which count in the standings and lower the points: ${names}.`,
    },
  ]
}

/** Reports misconfigured challenges. */
export function challengeFindings(world: WorldView, { instancers, hasBot }: Providers): Finding[] {
  const find = (code: Code, isWrong: (challenge: Challenge) => boolean, text: string): Finding[] => {
    const wrong = world.challenges().filter((challenge) => !challenge.hidden && isWrong(challenge))
    if (wrong.length === 0) return []
    return [{ code, text: `${text}: ${listed(wrong.map(({ name }) => name))}.` }]
  }
  const secrets = world.challenges().flatMap((challenge) => secretOf(challenge) ?? [])
  const shared = new Set(secrets.filter((secret, at) => secrets.indexOf(secret) !== at))
  return [
    ...(world.endTime <= world.startTime
      ? [{ code: 'endBeforeStart' as const, text: 'The event ends before it starts.' }]
      : []),
    ...find(
      'scoringSecretShared',
      (challenge) => shared.has(secretOf(challenge) ?? ''),
      'Dynamic challenges share a secret, so scores for one can be pushed to another',
    ),
    ...find(
      'challengeWithoutFlag',
      (challenge) => !isDynamic(challenge) && challenge.flags.length === 0,
      'Challenges without a flag cannot be solved',
    ),
    ...find(
      'pointsReversed',
      (challenge) => !isDynamic(challenge) && challenge.pointsMin > challenge.pointsMax,
      'Minimum points exceed maximum points',
    ),
    ...find(
      'releaseAfterEnd',
      ({ releaseAt }) => releaseAt !== null && releaseAt >= world.endTime,
      'Released only after the event ends',
    ),
    ...find(
      'instancerMissing',
      ({ instancerConfig }) => instancerConfig !== null && !hasInstancer(instancerConfig, instancers),
      'The instancer of a challenge is not configured',
    ),
    ...find(
      'botMissing',
      ({ adminBotConfig }) => adminBotConfig !== null && !hasBot,
      'A challenge needs the admin bot, but none is configured',
    ),
  ]
}

function isDynamic({ scoringKind }: Challenge): boolean {
  return scoringKind === 'dynamic'
}

/** Only for challenges with pushed scores. */
function secretOf({ scoringKind, scoringSecret }: Challenge): string | null {
  return scoringKind === 'dynamic' && scoringSecret ? scoringSecret : null
}

function hasInstancer({ instancer }: Readonly<Record<string, unknown>>, names: ReadonlySet<string>): boolean {
  return typeof instancer === 'string' ? names.has(instancer) : names.size > 0
}

const WORDS = {
  mail: { failing: 'mailFailing', givenUp: 'mailGivenUp', one: 'email', many: 'emails' },
  message: { failing: 'messagesFailing', givenUp: 'messagesGivenUp', one: 'message', many: 'messages' },
} as const

/** Reports outgoing emails and messages that fail. */
export function outboxFindings(states: readonly OutboxState[]): Finding[] {
  return states.flatMap(({ kind, failing, failingSince, givenUp, givenUpSince }): Finding[] => {
    if (kind !== 'mail' && kind !== 'message') return []
    const words = WORDS[kind]
    const counted = (count: number) => `${count} ${count === 1 ? words.one : words.many}`
    const findings: Finding[] = []
    if (failing > 0)
      findings.push({
        code: words.failing,
        text: `${counted(failing)} could not be sent and will be retried. See the server log for the reason.`,
        since: failingSince?.getTime() ?? null,
      })
    if (givenUp > 0)
      findings.push({
        code: words.givenUp,
        text: `${counted(givenUp)} could not be sent within a day and will not be retried.`,
        since: givenUpSince?.getTime() ?? null,
      })
    return findings
  })
}

/** Reports queued work that no worker handles. */
export function queueFindings(queues: QueueState, now: number): Finding[] {
  const { hasWorker, workerLostAt, botQueued, botRunning, botOldestAt } = queues
  const findings: Finding[] = []
  if (!hasWorker)
    findings.push({
      code: 'workerMissing',
      text: 'No worker is running, so no email is sent and no ranks are recorded. Start a process whose `instanceType` is not `frontend`.',
      since: workerLostAt?.getTime() ?? null,
    })
  const oldestAt = botOldestAt?.getTime() ?? now
  if (botRunning === 0 && now - oldestAt > BOT_PATIENCE_MS)
    findings.push({
      code: 'botWithoutWorker',
      text: `${botQueued} admin bot ${botQueued === 1 ? 'visit is' : 'visits are'} queued, but no bot worker is running.`,
      since: oldestAt,
    })
  return findings
}

export function ageFindings(standingsAgeMs: number, now: number): Finding[] {
  if (standingsAgeMs <= STALE_AFTER_MS) return []
  return [
    {
      code: 'standingsStale',
      text: 'The scoreboard of this process is stale: it cannot read the change log.',
      since: now - Math.round(standingsAgeMs),
    },
  ]
}

/** @param since Unix milliseconds; null if the last backup was good. */
export function failedBackupFindings(since: number | null): Finding[] {
  if (since === null) return []
  const text = 'The last scheduled backup failed, and is tried again. See the server log for the reason.'
  return [{ code: 'backupFailed', text, since }]
}

/**
 * Reports that the last good backup is too old.
 *
 * @param lastAt Unix milliseconds; null before the first backup.
 */
export function backupFindings(lastAt: number | null, everyMs: number, now: number): Finding[] {
  if (lastAt === null)
    return [{ code: 'backupLate', text: 'There is no backup yet. See the server log for the reason.' }]
  // A long backup is not worth a warning. A failure has its own.
  const dueAt = lastAt + 2 * everyMs + BACKUP_PATIENCE_MS
  if (now < dueAt) return []
  const hours = ((now - lastAt) / HOUR_MS).toFixed(1)
  return [
    {
      code: 'backupLate',
      text: `The last good backup is ${hours} hours old. See the server log for the reason.`,
      since: dueAt,
    },
  ]
}

export function clockFindings(now: number, databaseNow: number): Finding[] {
  const differenceMs = Math.abs(now - databaseNow)
  if (differenceMs <= MAX_CLOCK_DIFFERENCE_MS) return []
  return [
    {
      code: 'clockDifference',
      text: `The clocks of this server and the database differ by ${Math.round(differenceMs / 1000)} seconds.`,
    },
  ]
}
