import type { Challenge, WorldView } from '../../world/model.ts'
import type { OutboxState, QueueState } from './backlog.ts'
import { listed, type Code, type Finding } from './warnings.ts'

/** A worker that pulls at all takes a job within seconds. */
const BOT_PATIENCE_MS = 60_000
/** Followers poll once a second; a busy moment is no fault. */
const STALE_AFTER_MS = 10_000
/** Tokens, gates and the audit are dated by both clocks. */
const MOST_CLOCK_DIFFERENCE_MS = 2_000

export interface Providers {
  /** Names of the instancers that there are. */
  readonly instancers: ReadonlySet<string>
  readonly hasBot: boolean
}

/** What is wrong with the challenges as they are set up. */
export function challengeFindings(world: WorldView, { instancers, hasBot }: Providers): Finding[] {
  const find = (code: Code, isWrong: (challenge: Challenge) => boolean, text: string): Finding[] => {
    const wrong = world.challenges().filter((challenge) => !challenge.hidden && isWrong(challenge))
    if (wrong.length === 0) return []
    return [{ code, text: `${text}: ${listed(wrong.map(({ name }) => name))}.`, since: null }]
  }
  const secrets = world.challenges().flatMap((challenge) => secretOf(challenge) ?? [])
  const shared = new Set(secrets.filter((secret, at) => secrets.indexOf(secret) !== at))
  return [
    ...find(
      'scoringSecretShared',
      (challenge) => shared.has(secretOf(challenge) ?? ''),
      'Dynamic challenges share a secret, so that scores for one can be sent to another',
    ),
    ...find(
      'challengeWithoutFlag',
      (challenge) => !isDynamic(challenge) && challenge.flags.length === 0,
      'Nobody can solve a challenge without a flag',
    ),
    ...find(
      'pointsReversed',
      (challenge) => !isDynamic(challenge) && challenge.pointsMin > challenge.pointsMax,
      'The least points are more than the most',
    ),
    ...find(
      'releaseAfterEnd',
      ({ releaseAt }) => releaseAt !== null && releaseAt >= world.endTime,
      'Released only after the end of the event',
    ),
    ...find(
      'instancerMissing',
      ({ instancerConfig }) => instancerConfig !== null && !hasInstancer(instancerConfig, instancers),
      'Instances are wanted of an instancer that is not configured',
    ),
    ...find(
      'botMissing',
      ({ adminBotConfig }) => adminBotConfig !== null && !hasBot,
      'The admin bot is wanted, and none is configured',
    ),
  ]
}

function isDynamic({ scoringKind }: Challenge): boolean {
  return scoringKind === 'dynamic'
}

/** Of the challenges that take pushed scores. */
function secretOf({ scoringKind, scoringSecret }: Challenge): string | null {
  return scoringKind === 'dynamic' && scoringSecret ? scoringSecret : null
}

function hasInstancer({ instancer }: Readonly<Record<string, unknown>>, names: ReadonlySet<string>): boolean {
  return typeof instancer === 'string' ? names.has(instancer) : names.size > 0
}

const WORDS = {
  mail: { failing: 'mailFailing', givenUp: 'mailGivenUp', one: 'mail', many: 'mails' },
  message: { failing: 'messagesFailing', givenUp: 'messagesGivenUp', one: 'message', many: 'messages' },
} as const

/** What does not get out. */
export function outboxFindings(states: readonly OutboxState[]): Finding[] {
  return states.flatMap(({ kind, failing, failingSince, givenUp, givenUpSince }): Finding[] => {
    if (kind !== 'mail' && kind !== 'message') return []
    const words = WORDS[kind]
    const counted = (count: number) => `${count} ${count === 1 ? words.one : words.many}`
    const findings: Finding[] = []
    if (failing > 0)
      findings.push({
        code: words.failing,
        text: `${counted(failing)} could not be sent and will be tried again. The log has the reason.`,
        since: failingSince?.getTime() ?? null,
      })
    if (givenUp > 0)
      findings.push({
        code: words.givenUp,
        text: `${counted(givenUp)} could not be sent within the last day and will not be tried again.`,
        since: givenUpSince?.getTime() ?? null,
      })
    return findings
  })
}

/** Work that nobody does. */
export function queueFindings(queues: QueueState, now: number): Finding[] {
  const { hasWorker, workerLostAt, botQueued, botRunning, botOldestAt } = queues
  const findings: Finding[] = []
  if (!hasWorker)
    findings.push({
      code: 'workerAway',
      text: 'No process sends mail, records places and keeps house. Is one up whose `instanceType` is not `frontend`?',
      since: workerLostAt?.getTime() ?? null,
    })
  const oldestAt = botOldestAt?.getTime() ?? now
  if (botRunning === 0 && now - oldestAt > BOT_PATIENCE_MS)
    findings.push({
      code: 'botWithoutWorker',
      text: `${botQueued} visits of the admin bot wait, and no worker takes them.`,
      since: oldestAt,
    })
  return findings
}

export function ageFindings(standingsAgeMs: number, now: number): Finding[] {
  if (standingsAgeMs <= STALE_AFTER_MS) return []
  return [
    {
      code: 'standingsStale',
      text: 'The standings of this process do not follow the database.',
      since: now - Math.round(standingsAgeMs),
    },
  ]
}

export function clockFindings(now: number, databaseNow: number): Finding[] {
  const differenceMs = Math.abs(now - databaseNow)
  if (differenceMs <= MOST_CLOCK_DIFFERENCE_MS) return []
  return [
    {
      code: 'clockDifference',
      text: `The clocks of this machine and of the database differ by ${Math.round(differenceMs / 1000)} seconds.`,
      since: null,
    },
  ]
}
