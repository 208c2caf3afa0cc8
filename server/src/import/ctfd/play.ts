import type { ImportedFeedEvent, ImportedFeedScore, ImportedSolve, ImportedSubmission } from '../contest.ts'
import { orderedUuid, uuidOf } from '../ids.ts'
import { integerOf, textOf, type Json } from '../json.ts'
import { millisOf } from '../micros.ts'
import type { Report } from '../report.ts'
import { microsOf, type Accounts, type Mode } from './accounts.ts'
import type { CtfdArchive } from './archive.ts'
import type { Challenges } from './challenges.ts'

const UNKNOWN_ADDRESS = 'unknown'
/** Correct submissions that a translated pattern is tried on. */
const MAX_SAMPLES = 50

export interface PlayContext {
  readonly archive: CtfdArchive
  readonly mode: Mode
  readonly accounts: Accounts
  readonly challenges: Challenges
  readonly report: Report
}

/** A solve or an award, as the standings of the source count it. */
export interface Counted {
  readonly teamId: string
  readonly value: number
  readonly at: number
  /** Row id, which breaks ties. */
  readonly number: number
}

export interface Play {
  readonly solves: readonly ImportedSolve[]
  readonly counted: readonly Counted[]
  /** Distinct correct submissions of each challenge. */
  readonly samples: ReadonlyMap<string, ReadonlySet<string>>
  readonly firstAt: number | null
}

/** The account that acted: in teams mode the team that the row names, where the user was then. */
function accountOf(row: Json, { mode, accounts }: PlayContext): string | undefined {
  return accounts.idOf(mode === 'teams' ? row['team_id'] : row['user_id'])
}

interface Stamp {
  readonly at: number
  readonly ip: string
}

/** Solves have neither a date nor an address: those are in the submission with the same id. */
export async function readPlay(context: PlayContext): Promise<Play> {
  const { archive, challenges, report } = context
  const solveRows = await archive.all('solves')
  const wanted = new Set(solveRows.map(({ id }) => integerOf(id)))
  const stamps = new Map<number | null, Stamp>()
  const samples = new Map<string, Set<string>>()
  let firstAt: number | null = null
  for await (const row of archive.rows('submissions')) {
    const at = microsOf(row['date'])
    if (at !== null) firstAt = Math.min(firstAt ?? at, at)
    const id = integerOf(row['id'])
    if (at !== null && wanted.has(id)) stamps.set(id, { at, ip: textOf(row['ip']) || UNKNOWN_ADDRESS })
    if (row['type'] === 'correct')
      addSample(samples, challenges.idOf(row['challenge_id']), textOf(row['provided']))
  }
  const found = solveRows.flatMap((row) => solveOf(row, { stamps, context }))
  const once = new Map<string, (typeof found)[number]>()
  for (const each of found.toSorted((a, b) => a.at - b.at || a.number - b.number)) {
    const pair = JSON.stringify([each.challengeId, each.teamId])
    if (once.has(pair))
      report.loss('repeated-solves', 'Accounts solved a challenge twice; the first counts.', each.challengeId)
    else once.set(pair, each)
  }
  const spread = spreadTimes([...once.values()], report)
  return {
    solves: spread.map(({ number, challengeId, teamId, at, ip }) => ({
      id: orderedUuid('ctfd solve', number),
      challengeId,
      teamId,
      at,
      ip,
    })),
    counted: [...once.values()].map(({ teamId, challengeId, at, number }) => ({
      teamId,
      value: challenges.values.get(challengeId) ?? 0,
      at,
      number,
    })),
    samples,
    firstAt,
  }
}

function addSample(samples: Map<string, Set<string>>, id: string | undefined, text: string): void {
  if (id === undefined) return
  const known = samples.get(id) ?? new Set()
  if (known.size < MAX_SAMPLES) known.add(text.trim())
  samples.set(id, known)
}

interface Dated extends Omit<ImportedSolve, 'id'> {
  readonly number: number
}

function solveOf(
  row: Json,
  { stamps, context }: { readonly stamps: ReadonlyMap<number | null, Stamp>; readonly context: PlayContext },
): Dated[] {
  const { challenges, report } = context
  const number = integerOf(row['id'])
  const challengeId = challenges.idOf(row['challenge_id'])
  const teamId = accountOf(row, context)
  const stamp = stamps.get(number)
  const shown = `solve ${number}`
  if (challengeId === undefined)
    report.loss('deleted-challenges', 'Solves of challenges that no longer exist are left out.', shown)
  else if (teamId === undefined)
    report.loss('unknown-accounts', 'Solves of accounts that are not imported are left out.', shown)
  else if (!stamp || number === null)
    report.loss('undated-solves', 'Solves without their submission have no date and are left out.', shown)
  else return [{ number, challengeId, teamId, ...stamp }]
  return []
}

/**
 * Older databases store whole seconds, and CTFd orders equal times by row. Pennant would compare the age of the teams, so
 * solves of the same millisecond get the following ones, in the order of their rows.
 */
function spreadTimes(sorted: readonly Dated[], report: Report): Dated[] {
  let last = -1
  return sorted.map((solve) => {
    const own = millisOf(solve.at)
    const free = Math.max(own, last + 1)
    last = free
    if (free === own) return solve
    report.note(
      'equal-times',
      'Solves with equal times are moved by milliseconds, in the order of the source.',
    )
    return { ...solve, at: free * 1000 }
  })
}

/** The audit log, of submissions that were correct or incorrect. */
export async function* readSubmissions(
  context: PlayContext,
  solves: readonly ImportedSolve[],
): AsyncGenerator<ImportedSubmission> {
  const byId = new Map(solves.map((solve) => [solve.id, solve]))
  const { archive, challenges, report } = context
  for await (const row of archive.rows('submissions')) {
    const type = row['type']
    // The original of a submission that an admin made a solve: the solve has a row of its own.
    if (type === 'discard') continue
    const teamId = accountOf(row, context)
    const at = microsOf(row['date'])
    if (type !== 'correct' && type !== 'incorrect') {
      report.without('partialSubmissions', textOf(type))
      continue
    }
    if (teamId === undefined || at === null) {
      report.note(
        'other-submissions',
        'Submissions without a date or of accounts that are not imported are left out.',
      )
      continue
    }
    const number = integerOf(row['id']) ?? 0
    const solve = type === 'correct' ? byId.get(orderedUuid('ctfd solve', number)) : undefined
    yield {
      id: uuidOf('ctfd submission', String(number)),
      kind: 'flag',
      challengeId: challenges.idOf(row['challenge_id']) ?? `ctfd-${integerOf(row['challenge_id'])}`,
      teamId,
      ip: solve?.ip ?? (textOf(row['ip']) || UNKNOWN_ADDRESS),
      // The table of solves decides what is a solve.
      result: solve ? 'correct' : type === 'correct' ? 'already_solved' : 'incorrect',
      details: { submittedFlag: textOf(row['provided']) },
      relatedId: solve?.id ?? null,
      at: solve?.at ?? at,
    }
  }
}

export const AWARDS_ID = 'ctfd-awards'

interface Awards {
  readonly counted: readonly Counted[]
  readonly scores: readonly ImportedFeedScore[]
  readonly events: readonly ImportedFeedEvent[]
}

/** Awards with points, the negative ones of bought hints among them. Their sums are pushed points of one challenge. */
export async function readAwards(context: PlayContext): Promise<Awards> {
  const counted: Counted[] = []
  for (const row of await context.archive.all('awards')) {
    const teamId = accountOf(row, context)
    const value = integerOf(row['value']) ?? 0
    const at = microsOf(row['date'])
    if (teamId !== undefined && value !== 0 && at !== null)
      counted.push({ teamId, value, at, number: integerOf(row['id']) ?? 0 })
  }
  const events = counted
    .toSorted((a, b) => a.at - b.at || a.number - b.number)
    .map(({ teamId, value, at }) => ({ challengeId: AWARDS_ID, teamId, delta: value, at }))
  const scores = new Map<string, ImportedFeedScore>()
  for (const { challengeId, teamId, delta, at } of events) {
    const points = (scores.get(teamId)?.points ?? 0) + delta
    scores.set(teamId, { challengeId, teamId, points, scoredAt: at, delta, tickAt: at })
  }
  return { counted, scores: [...scores.values()].filter(({ points }) => points !== 0), events }
}
