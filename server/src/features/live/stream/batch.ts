import type { Snapshot, Receiver, StreamEntry } from '../../contest/kinds/stream-kind.ts'
import { isVoid } from '../../people/accounts/tokens.ts'
import { endConnection, type Connection, type Connections, type StreamClient } from './connections.ts'
import type { EventIds } from './frames.ts'
import type { StreamKinds } from './kinds.ts'
import { audienceKeys, concernedTeams, condensedOf, createRenderer } from './render.ts'
import type { StateChange } from './state-frames.ts'

export interface Batch {
  /** `seq` of the entry before the first one. */
  readonly from: number
  readonly entries: readonly StreamEntry[]
  readonly state: StateChange | null
}

interface BatchDeps {
  readonly connections: Pick<Connections, 'write'>
  readonly ids: EventIds
  readonly kinds: StreamKinds
}

/** Returns a function that sends the batch to one connection. Receivers with the same rights share the bytes, and so do those of one team. */
export function batchWriter(
  { connections, ids, kinds: { events } }: BatchDeps,
  snapshot: Snapshot,
  { from, entries, state }: Batch,
): (connection: Connection) => void {
  const to = entries.at(-1)?.seq ?? from
  const condensed = condensedOf(entries)
  const options = { kinds: events, ids, condensed }
  const renderer = createRenderer(snapshot, options)
  const concerned = concernedTeams(entries, snapshot, options)
  const audienceKey = audienceKeys(entries, snapshot, events)
  const shared = new Map<string, Buffer>()

  function encode(receiver: Receiver, after: number): Buffer {
    const missing = after === from ? entries : entries.filter(({ seq }) => seq > after)
    // The state first: a client that loses the connection before the last position gets both again.
    return Buffer.from((state?.textFor(receiver, snapshot) ?? '') + renderer.of(missing, receiver))
  }

  function encodeOnce(receiver: Receiver, isConcerned: boolean): Buffer {
    const key = isConcerned
      ? `team ${receiver.teamId} ${receiver.isExternal}`
      : audienceKey(receiver) + (state?.keyFor(receiver, snapshot) ?? '')
    const encoded = shared.get(key) ?? encode(receiver, from)
    shared.set(key, encoded)
    return encoded
  }

  return (connection) => {
    const { client } = connection
    const isConcerned = client.team !== null && concerned.has(client.team.id)
    if (isConcerned && !isStillSignedIn(client, snapshot)) return endConnection(connection)
    // Opened after this batch was taken, or still opening.
    if (connection.seq > to) return
    const receiver = receiverOf(client, snapshot)
    // A connection that was opened meanwhile has some of the entries already.
    const bytes =
      connection.seq === from ? encodeOnce(receiver, isConcerned) : encode(receiver, connection.seq)
    connection.seq = to
    if (bytes.length > 0) connections.write(connection, bytes)
  }
}

export function receiverOf({ team }: StreamClient, { world }: Snapshot): Receiver {
  if (!team) return { teamId: null, perms: 0 }
  const { id: teamId, isExternal } = team
  return { teamId, isExternal, perms: isExternal ? 0 : (world.team(teamId)?.perms ?? 0) }
}

/** Whether the token is still valid: the team may have been deleted, or it signed out everywhere. */
function isStillSignedIn({ team }: StreamClient, { world }: Snapshot): boolean {
  const row = team && world.team(team.id)
  return team !== null && row !== null && row !== undefined && !isVoid(team, row)
}
