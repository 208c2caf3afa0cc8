import { STREAM_SOLVES, type StreamEventData } from '@pennant/contract/stream.ts'
import {
  maySeeChallenges,
  type AnyStreamKind,
  type Snapshot,
  type Receiver,
  type StreamEntry,
} from '../../contest/kinds/stream-kind.ts'
import { frame, type EventIds } from './frames.ts'
import { snapshotFor, openedBy, openingTeams, summaryOf } from './kinds.ts'
import { pairKey, pairsOf } from './log-window.ts'

const NONE: ReadonlySet<number> = new Set()

/** Renders entries of the change log as of one snapshot. What several receivers see is rendered once. */
export interface Renderer {
  of(entries: readonly StreamEntry[], receiver: Receiver): string
}

export interface RenderOptions {
  readonly kinds: readonly AnyStreamKind[]
  readonly ids: Pick<EventIds, 'ofEntry'>
  /** Numbers of entries whose solves are left out as far as possible. */
  readonly condensed?: ReadonlySet<number>
}

export function createRenderer(
  snapshot: Snapshot,
  { kinds, ids, condensed = NONE }: RenderOptions,
): Renderer {
  const shared = new Map<string, string>()

  function sharedText(entry: StreamEntry, receiver: Receiver): string {
    const kind = kinds.find(({ entryKind, teams }) => entryKind === entry.kind && !teams)
    if (!kind || !kind.mayReceive(receiver, snapshot)) return ''
    const visible = snapshotFor(receiver, snapshot)
    const own = condensed.has(entry.seq) ? receiver.teamId : null
    const ownKey = own !== null && newSolvers(entry).includes(own) ? ` ${own}` : ''
    const partKey = kind.keyFor?.(entry, receiver, snapshot) ?? ''
    const key = `${entry.seq}${visible.key}${ownKey} ${partKey}`
    let text = shared.get(key)
    if (text === undefined) {
      const full = kind.data(entry, receiver, visible.snapshot)
      const data =
        full && condensed.has(entry.seq) ? withoutMost(full as StreamEventData<'solves'>, own) : full
      text = data ? frame(kind.name, data, ids.ofEntry(entry)) : ''
      shared.set(key, text)
    }
    return text
  }

  /** Without a position, before the event that has it: a client that loses one of them gets both again. */
  function openedText(entry: StreamEntry, receiver: Receiver): string {
    const opened = openedBy(entry, receiver, snapshotFor(receiver, snapshot).snapshot)
    if (opened.length === 0 || !maySeeChallenges(receiver, snapshot)) return ''
    return frame('challenges', { released: opened.map(summaryOf), changed: [], withdrawn: [] })
  }

  function ownText(entry: StreamEntry, receiver: Receiver): string {
    const { teamId } = receiver
    if (teamId === null) return ''
    const kind = kinds.find(({ entryKind, teams }) => entryKind === entry.kind && teams)
    if (!kind?.teams?.(entry, snapshot).includes(teamId) || !kind.mayReceive(receiver, snapshot)) return ''
    const data = kind.data(entry, receiver, snapshotFor(receiver, snapshot).snapshot)
    return data ? frame(kind.name, data, ids.ofEntry(entry)) : ''
  }

  return {
    of(entries, receiver) {
      let text = ''
      for (const entry of entries) {
        const own = ownText(entry, receiver) || sharedText(entry, receiver)
        text += openedText(entry, receiver) + own
      }
      return text
    },
  }
}

type Solves = StreamEventData<'solves'>

/** Keeps what a client shows apart from the list of the latest solves: bloods, and what its own team solved. */
function withoutMost({ solves, removed }: Solves, teamId: string | null): Solves {
  const kept = solves.filter(({ bloodIndex, userId }) => bloodIndex !== null || userId === teamId)
  return { solves: kept, removed, omitted: solves.length - kept.length }
}

/** The teams of new solves: an entry may also record the ranks of earlier ones. */
function newSolvers({ ids, before }: StreamEntry): string[] {
  return pairsOf(ids)
    .filter((pair) => !before.has(pairKey(pair)))
    .map(({ teamId }) => teamId)
}

/** The numbers of entries with solves, except those with the newest `STREAM_SOLVES`. */
export function condensedOf(entries: readonly StreamEntry[]): Set<number> {
  const condensed = new Set<number>()
  let newer = 0
  for (const entry of entries.toReversed()) {
    if (entry.kind !== 'solves') continue
    if (newer >= STREAM_SOLVES) condensed.add(entry.seq)
    newer += newSolvers(entry).length
  }
  return condensed
}

/** Returns a key: receivers with the same one see the same shared events of these entries. */
export function audienceKeys(
  entries: readonly StreamEntry[],
  snapshot: Snapshot,
  kinds: readonly AnyStreamKind[],
): (receiver: Receiver) => string {
  const shared = kinds.filter(({ teams }) => !teams)
  const parts = entries.flatMap((entry) =>
    shared.flatMap((kind) => (kind.keyFor && kind.entryKind === entry.kind ? [{ kind, entry }] : [])),
  )
  return (receiver) => {
    const rights = shared.map((kind) => (kind.mayReceive(receiver, snapshot) ? 1 : 0)).join('')
    const keys = parts.map(({ kind, entry }) => ` ${kind.keyFor?.(entry, receiver, snapshot)}`)
    return rights + snapshotFor(receiver, snapshot).key + keys.join('')
  }
}

/** The teams that the entries concern, which therefore get more than the shared events. */
export function concernedTeams(
  entries: readonly StreamEntry[],
  snapshot: Snapshot,
  { kinds, condensed = NONE }: RenderOptions,
): Set<string> {
  const concerned = new Set(openingTeams(entries, snapshot))
  for (const entry of entries) {
    if (condensed.has(entry.seq)) for (const id of newSolvers(entry)) concerned.add(id)
    for (const { entryKind, teams } of kinds) {
      if (entryKind === entry.kind) for (const id of teams?.(entry, snapshot) ?? []) concerned.add(id)
    }
  }
  return concerned
}
