import { STREAM_SOLVES, type StreamEventData } from '@pennant/contract/stream.ts'
import { announcementFrame, partOf } from './announcement-frames.ts'
import { frame, type EventIds } from './frames.ts'
import {
  logKinds,
  maySeeChallenges,
  momentFor,
  openedBy,
  openingTeams,
  summaryOf,
  teamKinds,
  type Moment,
  type Receiver,
} from './kinds.ts'
import { pairKey, pairsOf, type WindowEntry } from './log-window.ts'

const NONE: ReadonlySet<number> = new Set()

/** Renders entries of the change log as of one moment. What several receivers see is rendered once. */
export interface Renderer {
  of(entries: readonly WindowEntry[], receiver: Receiver): string
}

/** `condensed`: numbers of entries whose solves are left out as far as possible. */
export function createRenderer(
  moment: Moment,
  ids: Pick<EventIds, 'ofEntry'>,
  condensed: ReadonlySet<number> = NONE,
): Renderer {
  const shared = new Map<string, string>()
  const announced = new Map<string, string>()

  function sharedText(entry: WindowEntry, receiver: Receiver): string {
    const kind = logKinds.find(({ entryKind }) => entryKind === entry.kind)
    if (!kind || !kind.mayReceive(receiver, moment)) return ''
    const visible = momentFor(receiver, moment)
    const own = condensed.has(entry.seq) ? receiver.teamId : null
    const ownKey = own !== null && newSolvers(entry).includes(own) ? ` ${own}` : ''
    const key = `${entry.seq}${visible.key}${ownKey}`
    let text = shared.get(key)
    if (text === undefined) {
      const full = kind.data(entry, visible.moment)
      const data = full && 'solves' in full && condensed.has(entry.seq) ? withoutMost(full, own) : full
      text = data ? frame(kind.name, data as never, ids.ofEntry(entry)) : ''
      shared.set(key, text)
    }
    return text
  }

  /** Rendered once for all that see the same. */
  function announcementText(entry: WindowEntry, receiver: Receiver): string {
    const part = partOf(entry, receiver, moment)
    if (part.key === '') return ''
    const key = `${entry.seq} ${part.key}`
    const known = announced.get(key)
    if (known !== undefined) return known
    const text = announcementFrame(part, ids.ofEntry(entry))
    announced.set(key, text)
    return text
  }

  /** Without a position, before the event that has it: a client that loses one of them gets both again. */
  function openedText(entry: WindowEntry, receiver: Receiver): string {
    const opened = openedBy(entry, receiver, moment)
    if (opened.length === 0 || !maySeeChallenges(receiver, moment)) return ''
    return frame('challenges', { released: opened.map(summaryOf), changed: [], withdrawn: [] })
  }

  function ownText(entry: WindowEntry, receiver: Receiver): string {
    const { teamId } = receiver
    if (teamId === null) return ''
    const kind = teamKinds.find(({ entryKind }) => entryKind === entry.kind)
    if (!kind || !kind.teams(entry).includes(teamId)) return ''
    if (kind.ownTokenOnly && receiver.isExternal) return ''
    const data = kind.data(entry, teamId, momentFor(receiver, moment).moment)
    return data ? frame(kind.name, data as never, ids.ofEntry(entry)) : ''
  }

  return {
    of(entries, receiver) {
      let text = ''
      for (const entry of entries) {
        const own =
          ownText(entry, receiver) || sharedText(entry, receiver) || announcementText(entry, receiver)
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
function newSolvers({ ids, before }: WindowEntry): string[] {
  return pairsOf(ids)
    .filter((pair) => !before.has(pairKey(pair)))
    .map(({ teamId }) => teamId)
}

/** The numbers of entries with solves, except those with the newest `STREAM_SOLVES`. */
export function condensedOf(entries: readonly WindowEntry[]): Set<number> {
  const condensed = new Set<number>()
  let newer = 0
  for (const entry of entries.toReversed()) {
    if (entry.kind !== 'solves') continue
    if (newer >= STREAM_SOLVES) condensed.add(entry.seq)
    newer += newSolvers(entry).length
  }
  return condensed
}

/** Receivers with the same key see the same shared events of these entries. */
export function audienceKey(
  receiver: Receiver,
  moment: Moment,
  announcements: readonly WindowEntry[],
): string {
  const rights = logKinds.map((kind) => (kind.mayReceive(receiver, moment) ? 1 : 0)).join('')
  return (
    rights +
    momentFor(receiver, moment).key +
    announcements.map((entry) => ` ${partOf(entry, receiver, moment).key}`).join('')
  )
}

/** The teams that the entries concern, which therefore get more than the shared events. */
export function concernedTeams(
  entries: readonly WindowEntry[],
  moment: Moment,
  condensed: ReadonlySet<number>,
): Set<string> {
  const concerned = new Set(openingTeams(entries, moment))
  for (const entry of entries) {
    if (condensed.has(entry.seq)) for (const id of newSolvers(entry)) concerned.add(id)
    for (const kind of teamKinds) {
      if (kind.entryKind === entry.kind) for (const id of kind.teams(entry)) concerned.add(id)
    }
  }
  return concerned
}
