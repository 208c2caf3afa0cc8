import type { ImportedSolve, ImportedSubmission } from '../contest.ts'
import { orderedUuids, uuidOf } from '../ids.ts'
import { integerOf, textOf, type Json } from '../json.ts'
import { millisOf } from '../micros.ts'
import type { Report } from '../report.ts'
import type { Accounts } from './accounts.ts'
import { microsOf, type Mode } from './values.ts'
import type { CtfdArchive } from './archive.ts'
import type { Challenges } from './challenges.ts'

const UNKNOWN_ADDRESS = 'unknown'
const solveId = orderedUuids('ctfd solve')
/** Correct submissions that a translated pattern is tried on. */
const MAX_SAMPLES = 50
/** Longer than any flag. */
const MAX_SAMPLE_LENGTH = 1000

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
  /** The time of an award, in Unix microseconds, moved apart from those of solves. */
  readonly timeOf: (award: Counted) => number
}

/** The account that acted: in teams mode the team that the row names, where the user was then. */
export function accountOf(row: Json, { mode, accounts }: PlayContext): string | undefined {
  return accounts.idOf(mode === 'teams' ? row['team_id'] : row['user_id'])
}

interface Stamp {
  readonly at: number
  readonly ip: string
}

/**
 * Solves have neither a date nor an address: those are in the submission with the same id. `awards` are those whose time
 * breaks ties.
 */
export async function readPlay(context: PlayContext, awards: readonly Counted[]): Promise<Play> {
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
  const once = new Map<string, Dated>()
  for (const each of found.toSorted((a, b) => a.at - b.at || a.number - b.number)) {
    const pair = JSON.stringify([each.challengeId, each.teamId])
    if (once.has(pair))
      report.loss('repeated-solves', 'Accounts solved a challenge twice; the first counts.', each.challengeId)
    else once.set(pair, each)
  }
  const solves = [...once.values()]
  const times = spreadTimes([...solves, ...awards], report)
  return {
    solves: solves.map((solve) => ({
      id: solveId(solve.number),
      challengeId: solve.challengeId,
      teamId: solve.teamId,
      at: times.get(solve) ?? solve.at,
      ip: solve.ip,
    })),
    counted: solves.map(({ teamId, challengeId, at, number }) => ({
      teamId,
      value: challenges.values.get(challengeId) ?? 0,
      at,
      number,
    })),
    samples,
    firstAt,
    timeOf: (award) => times.get(award) ?? award.at,
  }
}

function addSample(samples: Map<string, Set<string>>, id: string | undefined, text: string): void {
  if (id === undefined || text.length > MAX_SAMPLE_LENGTH) return
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

interface Timed {
  readonly at: number
  readonly number: number
}

/**
 * Older databases store whole seconds, and CTFd orders equal times by row. Pennant would compare the age of the teams, so
 * rows of the same millisecond get the following ones, in the order of their numbers. Returns the time of each row.
 */
function spreadTimes(rows: readonly Timed[], report: Report): ReadonlyMap<Timed, number> {
  let last = -1
  return new Map(
    rows
      .toSorted((a, b) => a.at - b.at || a.number - b.number)
      .map((row) => {
        const own = millisOf(row.at)
        const free = Math.max(own, last + 1)
        last = free
        if (free === own) return [row, row.at]
        report.note(
          'equal-times',
          'Solves and awards with equal times are moved by milliseconds, in the order of the source.',
        )
        return [row, free * 1000]
      }),
  )
}

/** The audit log, of submissions that were correct or incorrect. */
export async function* readSubmissions(
  context: PlayContext,
  solves: readonly ImportedSolve[],
): AsyncGenerator<ImportedSubmission> {
  const byId = new Map(solves.map((solve) => [solve.id, solve]))
  const { accounts, archive, challenges, report } = context
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
    const solve = type === 'correct' ? byId.get(solveId(number)) : undefined
    yield {
      id: uuidOf('ctfd submission', String(number)),
      kind: 'flag',
      challengeId: challenges.idOf(row['challenge_id']) ?? `ctfd-${integerOf(row['challenge_id'])}`,
      teamId,
      personId: accounts.people.idOf(row['user_id']),
      ip: solve?.ip ?? (textOf(row['ip']) || UNKNOWN_ADDRESS),
      // The table of solves decides what is a solve.
      result: solve ? 'correct' : type === 'correct' ? 'already_solved' : 'incorrect',
      details: { submittedFlag: textOf(row['provided']) },
      relatedId: solve?.id ?? null,
      at: solve?.at ?? at,
    }
  }
}
