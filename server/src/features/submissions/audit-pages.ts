import { resultsByKind, type SubmissionSort } from '@pennant/contract/admin-submissions.ts'
import type { z } from 'zod'
import type { WorldView } from '../../world/model.ts'
import type { AuditScope, Kind, Result } from './audit-scope.ts'
import { sumOf, type Grouping, type Tallies, type Tally } from './audit-tally.ts'

/** The part of a page that lies in rows of one place in the order: of one challenge, say. */
export interface Segment {
  readonly scope: AuditScope
  /** Counted in the direction of `descending`. */
  readonly offset: number
  readonly limit: number
  /** By time, then id. */
  readonly descending: boolean
  /** What is known of all rows of that place. */
  readonly tally: Tally
}

export interface Paging {
  readonly limit: number
  readonly offset: number
  readonly sortBy: z.infer<typeof SubmissionSort>
  readonly sortOrder: 'asc' | 'desc'
}

/** What rows are counted by, for each order. Kinds follow from results. */
export const groupings: Readonly<Record<Paging['sortBy'], Grouping>> = {
  createdAt: 'none',
  challenge: 'challenge_id',
  team: 'team_id',
  ip: 'ip',
  kind: 'result',
  result: 'result',
}

/**
 * Where the rows of a page lie. Knowing how many rows stand at each place of the order, a page is read at its place:
 * nothing before it is read, whatever the offset.
 */
export function segmentsOf(
  world: WorldView,
  { scope, tallies }: { readonly scope: AuditScope; readonly tallies: Tallies },
  paging: Paging,
): Segment[] {
  const { sortBy, sortOrder } = paging
  // Within one place the newest stand first, but where time itself is the order (contract, admin B.5).
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

/** Counting from the other end reaches the same rows. */
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

/** In order. Keys with one label stand at one place: two challenges of the same name. */
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
  // As shown: by id when it is gone.
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
