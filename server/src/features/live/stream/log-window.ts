import type { LogPosition, SolvePair, Views, WorldView } from '../../../world/model.ts'
import type { AnyStreamKind, StreamEntry } from '../../contest/kinds/stream-kind.ts'

/** The part of an entry of the change log that follows from the log alone. */
type LoggedEntry = Pick<StreamEntry, 'seq' | 'mark' | 'kind' | 'ids'>

/** The latest entries of the change log, from which a client resumes. */
export interface LogWindow {
  add(entries: readonly LoggedEntry[], views: Views): void
  /** Forgets everything: entries are missing between the last one and this position. */
  reset(position: LogPosition): void
  latest(): LogPosition
  /** Whether the position is of an entry that this process does not know yet. */
  isAhead(position: LogPosition): boolean
  /** The entries after a position; null if it is not known here: too old, or lost in a failover. */
  after(position: LogPosition): readonly StreamEntry[] | null
}

/** More than the solves of an hour at the peak of a large event. */
const MAX_ENTRIES = 10_000
/** Ids in all entries together. A deletion names all solves of a team or challenge in one entry. */
const MAX_IDS = 250_000

export function createLogWindow(start: LogPosition, kinds: readonly AnyStreamKind[]): LogWindow {
  let base = start
  let entries: StreamEntry[] = []
  let idCount = 0

  /** Removes a tenth at once, because removing from the front copies the array. */
  function trim(): void {
    while (entries.length > MAX_ENTRIES || (idCount > MAX_IDS && entries.length > 1)) {
      const removed = entries.splice(0, Math.ceil(entries.length / 10))
      idCount -= removed.reduce((count, { ids }) => count + ids.length, 0)
      base = removed.at(-1) ?? base
    }
  }

  return {
    add(added, { live, shown }) {
      // Entries of one page: the world includes none of them yet.
      const solved = { shown: new Set<string>(), live: new Set<string>() }
      for (const { seq, mark, kind, ids } of added) {
        const isSolves = kind === 'solves'
        const before = isSolves ? solvedBefore(ids, shown, solved.shown) : publicBefore(kind, ids, shown)
        const isFrozen = isSolves && live !== shown
        const ownBefore = isFrozen ? solvedBefore(ids, live, solved.live) : before
        const shownBefore = isFrozen ? solvedIn(shown, ids) : before
        const known = kinds.find((each) => each.entryKind === kind && each.know)?.know?.(ids, shown)
        entries.push({ seq, mark, kind, ids, before, shownBefore, ownBefore, known })
        idCount += ids.length
      }
      trim()
    },
    reset(position) {
      base = position
      entries = []
      idCount = 0
    },
    latest: () => entries.at(-1) ?? base,
    isAhead: ({ seq }) => seq > (entries.at(-1) ?? base).seq,
    after(position) {
      if (isSame(position, base)) return entries
      const at = indexOf(entries, position.seq)
      const found = entries[at]
      return found && isSame(position, found) ? entries.slice(at + 1) : null
    },
  }
}

function isSame(one: LogPosition, other: LogPosition): boolean {
  return one.seq === other.seq && one.mark === other.mark
}

/** Binary search: `seq` ascends, with gaps. -1 if there is none. */
function indexOf(entries: readonly StreamEntry[], seq: number): number {
  let [low, high] = [0, entries.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const found = entries[middle]?.seq ?? 0
    if (found === seq) return middle
    if (found < seq) low = middle + 1
    else high = middle - 1
  }
  return -1
}

/** The pairs that were solved before. Later entries name a solve again, for example when its ranks are recorded. */
function solvedBefore(ids: readonly string[], world: WorldView, inPage: Set<string>): Set<string> {
  const before = new Set<string>()
  for (const pair of pairsOf(ids)) {
    const key = pairKey(pair)
    if (inPage.has(key) || world.hasSolved(pair.challengeId, pair.teamId)) before.add(key)
    inPage.add(key)
  }
  return before
}

function solvedIn(world: WorldView, ids: readonly string[]): Set<string> {
  const solved = pairsOf(ids).filter(({ challengeId, teamId }) => world.hasSolved(challengeId, teamId))
  return new Set(solved.map(pairKey))
}

function publicBefore(kind: string, ids: readonly string[], world: WorldView): Set<string> {
  return new Set(kind === 'challenges' ? ids.filter((id) => world.challenge(id)?.isPublic) : [])
}

export function pairKey({ challengeId, teamId }: SolvePair): string {
  return JSON.stringify([challengeId, teamId])
}

/** The pairs that an entry of kind `solves` names. */
export function pairsOf(ids: readonly string[]): SolvePair[] {
  const pairs: SolvePair[] = []
  for (let i = 0; i + 1 < ids.length; i += 2)
    pairs.push({ challengeId: ids[i] ?? '', teamId: ids[i + 1] ?? '' })
  return pairs
}
