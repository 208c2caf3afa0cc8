import { isVoid } from '../../people/accounts/tokens.ts'
import { endConnection, type Connection, type Connections, type StreamClient } from './connections.ts'
import type { EventIds } from './frames.ts'
import type { Moment, Receiver } from './kinds.ts'
import type { WindowEntry } from './log-window.ts'
import { audienceKey, concernedTeams, condensedOf, createRenderer } from './render.ts'
import type { StateChange } from './state-frames.ts'

export interface Batch {
  /** `seq` of the entry before the first one. */
  readonly from: number
  readonly entries: readonly WindowEntry[]
  readonly state: StateChange | null
}

interface BatchDeps {
  readonly connections: Pick<Connections, 'write'>
  readonly ids: EventIds
}

/** Returns a function that sends the batch to one connection. Receivers with the same rights share the bytes. */
export function batchWriter(
  { connections, ids }: BatchDeps,
  moment: Moment,
  { from, entries, state }: Batch,
): (connection: Connection) => void {
  const to = entries.at(-1)?.seq ?? from
  const condensed = condensedOf(entries)
  const renderer = createRenderer(moment, ids, condensed)
  const concerned = concernedTeams(entries, moment, condensed)
  const shared = new Map<string, Buffer>()
  const announcements = entries.filter(({ kind }) => kind === 'announcements')

  function encode(receiver: Receiver, after: number): Buffer {
    const missing = after === from ? entries : entries.filter(({ seq }) => seq > after)
    // The state first: a client that loses the connection before the last position gets both again.
    return Buffer.from((state?.textFor(receiver, moment) ?? '') + renderer.of(missing, receiver))
  }

  function encodeOnce(receiver: Receiver): Buffer {
    const key = audienceKey(receiver, moment, announcements) + (state?.keyFor(receiver, moment) ?? '')
    const encoded = shared.get(key) ?? encode(receiver, from)
    shared.set(key, encoded)
    return encoded
  }

  return (connection) => {
    const { client } = connection
    const isConcerned = client.team !== null && concerned.has(client.team.id)
    if (isConcerned && !isStillSignedIn(client, moment)) return endConnection(connection)
    // Opened after this batch was taken, or still opening.
    if (connection.seq > to) return
    const receiver = receiverOf(client, moment)
    // A connection that was opened meanwhile has some of the entries already.
    const isShared = !isConcerned && connection.seq === from
    const bytes = isShared ? encodeOnce(receiver) : encode(receiver, connection.seq)
    connection.seq = to
    if (bytes.length > 0) connections.write(connection, bytes)
  }
}

export function receiverOf({ team }: StreamClient, { world }: Moment): Receiver {
  if (!team) return { teamId: null, perms: 0 }
  const { id: teamId, isExternal } = team
  return { teamId, isExternal, perms: isExternal ? 0 : (world.team(teamId)?.perms ?? 0) }
}

/** Whether the token is still valid: the team may have been deleted, or it signed out everywhere. */
function isStillSignedIn({ team }: StreamClient, { world }: Moment): boolean {
  const row = team && world.team(team.id)
  return team !== null && row !== null && row !== undefined && !isVoid(team, row)
}
