import { groupBy } from '../../../lib/group-by.ts'
import type { ImportedChallenge, ImportedFeedEvent, ImportedFeedScore, ImportedSolve } from '../contest.ts'
import { isUuid, uuidOf } from '../ids.ts'
import { millisOf } from '../micros.ts'
import type { Report } from '../report.ts'
import type { Row } from './copy-text.ts'
import { requireInstant } from './teams.ts'

export interface Known {
  readonly teams: ReadonlySet<string>
  readonly challenges: ReadonlyMap<string, ImportedChallenge>
  readonly report: Report
}

export const UNKNOWN_ADDRESS = 'unknown'

interface Solves {
  readonly solves: readonly ImportedSolve[]
  /** Ids of the source, and what they become. */
  readonly ids: ReadonlyMap<string, string>
}

/** Solves by flag. Those of deleted challenges remain in rCTF, because nothing deletes them. */
export function readSolves(rows: readonly Row[], known: Known): Solves {
  const { report } = known
  const read = rows
    .filter((row) => (row['source'] ?? 'flag') === 'flag' && isKnown(row, known))
    .flatMap((row): (ImportedSolve & { readonly sourceId: string })[] => {
      const challengeId = row['challengeid'] ?? ''
      if (known.challenges.get(challengeId)?.scoringKind === 'dynamic') {
        report.loss(
          'solves-of-feeds',
          'Flags solve challenges whose points are pushed; they would not count.',
          challengeId,
        )
        return []
      }
      const sourceId = row['id'] ?? ''
      const id = isUuid(sourceId) ? sourceId : uuidOf('rctf solve', sourceId)
      const at = requireInstant(row['createdat'] ?? null, report)
      const ip = row['submissionip'] ?? UNKNOWN_ADDRESS
      return [{ id, sourceId, challengeId, teamId: row['userid'] ?? '', at, ip }]
    })
  const solves = inOrder(read)
  return {
    solves: solves.map(({ id, challengeId, teamId, at, ip }) => ({ id, challengeId, teamId, at, ip })),
    ids: new Map(solves.map(({ sourceId, id }) => [sourceId, id])),
  }
}

function isKnown(row: Row, { teams, challenges, report }: Known): boolean {
  const challengeId = row['challengeid'] ?? ''
  if (!challenges.has(challengeId)) {
    report.loss('deleted-challenges', 'Solves of challenges that no longer exist are left out.', challengeId)
    return false
  }
  if (teams.has(row['userid'] ?? '')) return true
  report.loss('deleted-teams', 'Solves of teams that no longer exist are left out.', row['userid'] ?? '')
  return false
}

/**
 * Pennant orders the solves of a millisecond by id, rCTF by their microseconds. The ids of such solves change places, so
 * that the first blood stays the same.
 */
function inOrder<Solve extends ImportedSolve>(solves: readonly Solve[]): Solve[] {
  const groups = groupBy(solves, ({ challengeId, at }) => JSON.stringify([challengeId, millisOf(at)]))
  return [...groups.values()].flatMap((group) => {
    if (group.length === 1) return group
    const ids = group.map(({ id }) => id).sort()
    return group
      .toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
      .map((solve, at) => ({ ...solve, id: ids[at] ?? '' }))
  })
}

interface Feed {
  readonly scores: readonly ImportedFeedScore[]
  readonly events: readonly ImportedFeedEvent[]
}

function pairOf(challengeId: unknown, teamId: unknown): string {
  return JSON.stringify([challengeId, teamId])
}

/** Pushed points. The current ones are truth; events that do not add up to them get one more, at the beginning. */
export function readFeed(
  { solves, events }: { readonly solves: readonly Row[]; readonly events: readonly Row[] },
  known: Known,
): Feed {
  const { report } = known
  const isDynamic = (row: Row) => known.challenges.get(row['challengeid'] ?? '')?.scoringKind === 'dynamic'
  const scored = solves.filter((row) => row['source'] === 'feed' && isKnown(row, known))
  for (const row of scored)
    if (!isDynamic(row))
      report.loss(
        'feeds-of-solves',
        'Pushed points belong to challenges that are solved by flag; they are left out.',
        row['challengeid'] ?? '',
      )
  const read = events
    // An event without a team belongs to a deleted one.
    .filter((row) => row['source'] === 'feed' && known.teams.has(row['userid'] ?? '') && isDynamic(row))
    .map((row) => ({
      challengeId: row['challengeid'] ?? '',
      teamId: row['userid'] ?? '',
      delta: Number(row['points_delta'] ?? 0),
      at: requireInstant(row['event_at'] ?? null, report),
    }))
    .toSorted((a, b) => a.at - b.at)
  const byPair = groupBy(read, ({ challengeId, teamId }) => pairOf(challengeId, teamId))
  const current = new Map(
    scored.filter(isDynamic).map((row) => [pairOf(row['challengeid'], row['userid']), row]),
  )
  const scores: ImportedFeedScore[] = []
  const all: ImportedFeedEvent[] = []
  for (const pair of new Set([...current.keys(), ...byPair.keys()])) {
    const row = current.get(pair)
    const [challengeId = '', teamId = ''] = JSON.parse(pair) as string[]
    const own = completed(byPair.get(pair) ?? [], { row, challengeId, teamId, report })
    all.push(...own)
    const last = own.at(-1)
    if (row && last)
      scores.push({
        challengeId,
        teamId,
        points: Number(row['points'] ?? 0),
        scoredAt: requireInstant(row['createdat'] ?? null, report),
        delta: last.delta,
        tickAt: last.at,
      })
  }
  return { scores, events: all.toSorted((a, b) => a.at - b.at) }
}

function completed(
  events: readonly ImportedFeedEvent[],
  {
    row,
    challengeId,
    teamId,
    report,
  }: {
    readonly row: Row | undefined
    readonly challengeId: string
    readonly teamId: string
    readonly report: Report
  },
): readonly ImportedFeedEvent[] {
  const points = Number(row?.['points'] ?? 0)
  const missing = points - events.reduce((sum, { delta }) => sum + delta, 0)
  if (missing === 0) return events
  report.note(
    'feed-events',
    'Histories of pushed points are incomplete; the points themselves are kept.',
    `${challengeId} of ${teamId}`,
  )
  const first = events[0]?.at ?? Number.POSITIVE_INFINITY
  const at = row ? Math.min(requireInstant(row['createdat'] ?? null, report), first) : first
  return [{ challengeId, teamId, delta: missing, at }, ...events]
}
