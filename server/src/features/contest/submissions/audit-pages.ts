import { resultsByKind, type SubmissionSort } from '@pennant/contract/admin-submissions.ts'
import type { z } from 'zod'
import type { WorldView } from '../../../world/model.ts'
import type { AuditScope, Kind, Result } from './audit-scope.ts'
import { sumOf, type Grouping, type Tallies, type Tally } from './audit-tally.ts'

/** The part of a page whose rows share one sort key, for example one challenge. */
export interface Segment {
  readonly scope: AuditScope
  /** Counted in the direction given by `descending`. */
  readonly offset: number
  readonly limit: number
  /** Sorts by time, then id. */
  readonly descending: boolean
  /** Count and time range of all rows with this sort key. */
  readonly tally: Tally
}

export interface Paging {
  readonly limit: number
  readonly offset: number
  readonly sortBy: z.infer<typeof SubmissionSort>
  readonly sortOrder: 'asc' | 'desc'
}

/** The column to count by, for each sort order. The kind follows from the result. */
export const groupings: Readonly<Record<Paging['sortBy'], Grouping>> = {
  createdAt: 'none',
  challenge: 'challenge_id',
  team: 'team_id',
  ip: 'ip',
  kind: 'result',
  result: 'result',
}

/**
 * Locates the rows of a page. Because the number of rows per sort key is known, the query starts at the page
 * and does not read the rows before it, whatever the offset.
 */
export function segmentsOf(
  world: WorldView,
  { scope, tallies }: { readonly scope: AuditScope; readonly tallies: Tallies },
  paging: Paging,
): Segment[] {
  const { sortBy, sortOrder } = paging
  // Rows with equal keys are sorted newest first, unless the list is sorted by time:
  // docs/reference/audit.md#submission-audit
  const descending = sortBy !== 'createdAt' || sortOrder === 'desc'
  const segments: Segment[] = []
  let skip = paging.offset
  let wanted = paging.limit
  for (const { keys, tally } of placesOf(world, tallies, paging)) {
    if (wanted === 0) break
    const limit = Math.min(wanted, tally.count - skip)
    if (limit > 0) {
      const narrowed = narrow(scope, groupings[sortBy], keys)
      segments.push(fromNearerEnd({ scope: narrowed, offset: skip, limit, descending, tally }))
      wanted -= limit
    }
    skip = Math.max(0, skip - tally.count)
  }
  return segments
}

/** Counts from the nearer end, which reaches the same rows with a smaller offset. */
function fromNearerEnd(segment: Segment): Segment {
  const { offset, limit, descending, tally } = segment
  const fromEnd = tally.count - offset - limit
  return fromEnd < offset ? { ...segment, offset: fromEnd, descending: !descending } : segment
}

interface Place {
  readonly label: string
  readonly keys: readonly string[]
  readonly tally: Tally
}

/**
 * Sort positions in order. Keys with the same label, such as two challenges with the same name, share a
 * position.
 */
function placesOf(world: WorldView, tallies: Tallies, { sortBy, sortOrder }: Paging): Place[] {
  const labelOf = labels[sortBy]
  const byLabel = new Map<string, Place>()
  for (const [key, tally] of tallies) {
    const label = labelOf(key, world)
    const known = byLabel.get(label)
    byLabel.set(label, {
      label,
      keys: [...(known?.keys ?? []), key],
      tally: known ? sumOf(known.tally, tally) : tally,
    })
  }
  const sign = sortOrder === 'asc' ? 1 : -1
  return [...byLabel.values()].sort((a, b) => (a.label < b.label ? -sign : sign))
}

const labels: Readonly<Record<Paging['sortBy'], (key: string, world: WorldView) => string>> = {
  createdAt: () => '',
  // Sorted as displayed: a deleted challenge or team by its id.
  challenge: (id, world) => (world.challenge(id)?.name ?? id).toLowerCase(),
  team: (id, world) => (world.team(id)?.name ?? id).toLowerCase(),
  ip: (ip) => ip,
  kind: kindOf,
  result: (result) => result,
}

function kindOf(result: string): Kind {
  return resultsByKind.flag.some((one) => one === result) ? 'flag' : 'admin_bot'
}

function narrow(scope: AuditScope, grouping: Grouping, keys: readonly string[]): AuditScope {
  switch (grouping) {
    case 'none':
      return scope
    case 'challenge_id':
      return { ...scope, challenges: { include: keys, exclude: [] } }
    case 'team_id':
      return { ...scope, teams: { include: keys, exclude: [] } }
    case 'result':
      return { ...scope, results: keys as Result[] }
    case 'ip':
      return { ...scope, ips: { include: keys, exclude: [] } }
  }
}
