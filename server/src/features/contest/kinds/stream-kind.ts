import { hasPermissions } from '@pennant/contract/permissions.ts'
import type { StreamEventData, StreamEventName } from '@pennant/contract/stream.ts'
import { maySee, type VisibilitySettings, type VisiblePart } from '@pennant/contract/visibility.ts'
import type { WorldView } from '../../../world/model.ts'

/** The contest when events are rendered. */
export interface Snapshot {
  /** As participants see it. */
  readonly world: WorldView
  /** As `world`, before it was limited to what is open to the receiver. */
  readonly shown?: WorldView
  /** Everything, for the receiver's own solves. */
  readonly live: WorldView
  /** Who sees which part of it. */
  readonly visibility: VisibilitySettings
  /** Unix milliseconds. */
  readonly now: number
}

/** What decides who sees which event. Permissions as of the snapshot; 0 without a team. */
export interface Receiver {
  readonly teamId: string | null
  readonly perms: number
  /** With a token that another site obtained. */
  readonly isExternal?: boolean
}

/** An entry of the change log, and what was public before it. Every replica derives the same from the log. */
export interface StreamEntry<Known = unknown> {
  readonly seq: number
  readonly mark: string
  readonly kind: string
  readonly ids: readonly string[]
  /** `solves`: the pairs that were solved before (`pairKey`). `challenges`: the ids that were public before. */
  readonly before: ReadonlySet<string>
  /** Of the solves in `before`, those that standings really showed: within a page, a freeze may hide the earlier entry. */
  readonly shownBefore: ReadonlySet<string>
  /** As `before`, for a team's own solves: frozen standings do not have those after the freeze. */
  readonly ownBefore: ReadonlySet<string>
  /** What its kind recorded. */
  readonly known: Known
}

/**
 * A kind of event that follows from an entry of the change log. An entry leads to at most one event for each receiver, so that its id is
 * the entry's position.
 */
export interface StreamKind<N extends StreamEventName, Known = undefined> {
  readonly name: N
  /** The kind of the entries. */
  readonly entryKind: string
  /** Whether the receiver may see such events now: the gate of the reads that return the same. */
  mayReceive(receiver: Receiver, snapshot: Snapshot): boolean
  /** What must be recorded of the world just before the entry. */
  know?(ids: readonly string[], world: WorldView): Known
  /** The teams that receive the event; all receivers without this. */
  teams?(entry: StreamEntry<Known>, snapshot: Snapshot): readonly string[]
  /** Receivers with the same key get the same event. Without this, all that see the same challenges do. */
  keyFor?(entry: StreamEntry<Known>, receiver: Receiver, snapshot: Snapshot): string
  /** Null if there is nothing to report. Leaves out what reads leave out; the snapshot has no challenges that are closed for the receiver. */
  data(entry: StreamEntry<Known>, receiver: Receiver, snapshot: Snapshot): StreamEventData<N> | null
  readonly clock?: ClockEvents<N>
}

/** Events that follow from the time alone. They have no position, because the next one or a resume replaces them. */
export interface ClockEvents<N extends StreamEventName> {
  /** Ids of what changed after a time until the snapshot, without the rows that entries of the same batch name. */
  since(after: number, snapshot: Snapshot, named: ReadonlySet<string>): readonly string[]
  /** As in `StreamKind`. */
  keyFor?(ids: readonly string[], receiver: Receiver, snapshot: Snapshot): string
  data(ids: readonly string[], receiver: Receiver, snapshot: Snapshot): StreamEventData<N> | null
}

/** An event for all who see the part, about a state. It is sent when it differs from the last one, whatever was edited, and with each resume. */
export interface StateEvent<N extends StreamEventName> {
  readonly name: N
  /** The part of the event that it shows. */
  readonly part: VisiblePart
  data(snapshot: Snapshot): StreamEventData<N>
}

export type AnyStreamKind = StreamKind<StreamEventName, unknown>
export type AnyStateEvent = StateEvent<StreamEventName>

/** The gate of the challenge list and of solves: docs/reference/event-phases.md */
export function maySeeChallenges(receiver: Receiver, snapshot: Snapshot): boolean {
  const { world, now } = snapshot
  if (!isOpenTo('challenges', receiver, snapshot)) return false
  return now >= world.startTime || hasPermissions(receiver.perms, ['challsRead'])
}

/** docs/operate/closed-events.md */
export function isOpenTo(part: VisiblePart, { teamId, perms }: Receiver, { visibility }: Snapshot): boolean {
  return maySee(part, teamId === null ? null : perms, visibility)
}

/** The second of each pair that an entry names is a team. */
export function teamsOfPairs({ ids }: Pick<StreamEntry, 'ids'>): string[] {
  return ids.filter((_, index) => index % 2 === 1)
}
