import type { Snapshot, Receiver, StreamEntry } from '../../contest/kinds/stream-kind.ts'
import type { WorldView } from '../../../world/model.ts'
import { isVoid } from '../../people/accounts/tokens.ts'
import { endedSessionRows, personRows } from '../../people/persons/rows.ts'
import { endConnection, type Connection, type Connections, type StreamClient } from './connections.ts'
import type { EventIds } from './frames.ts'
import type { StreamKinds } from './kinds.ts'
import { audienceKeys, concernedTeams, condensedOf, createRenderer } from './render.ts'
import type { StateChange } from './state-frames.ts'

/** Entries that may end sessions of people, or take them from their team. */
const SESSION_KINDS: ReadonlySet<string> = new Set([personRows.kind, endedSessionRows.kind])

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
  const endsSessions = entries.some(({ kind }) => SESSION_KINDS.has(kind))
  const audienceKey = audienceKeys(entries, snapshot, events)
  const shared = new Map<string, Buffer>()

  function encode(receiver: Receiver, after: number): Buffer {
    const missing = after === from ? entries : entries.filter(({ seq }) => seq > after)
    // The state first: a client that loses the connection before the last position gets both again.
    return Buffer.from((state?.textFor(receiver, snapshot) ?? '') + renderer.of(missing, receiver))
  }

  function encodeOnce(receiver: Receiver, isConcerned: boolean): Buffer {
    const key = isConcerned
      ? `team ${receiver.teamId} ${receiver.isExternal} ${receiver.perms}`
      : audienceKey(receiver) + (state?.keyFor(receiver, snapshot) ?? '')
    const encoded = shared.get(key) ?? encode(receiver, from)
    shared.set(key, encoded)
    return encoded
  }

  return (connection) => {
    const { client } = connection
    const isConcerned = client.team !== null && concerned.has(client.team.id)
    const mayHaveEnded = isConcerned || (endsSessions && client.team?.person)
    if (mayHaveEnded && !isStillSignedIn(client, snapshot)) return endConnection(connection)
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

export function receiverOf({ team }: StreamClient, { world, live }: Snapshot): Receiver {
  if (!team) return { teamId: null, perms: 0 }
  const { id: teamId, isExternal, person } = team
  if (isExternal) return { teamId, isExternal, perms: 0 }
  // What the caller had when the stream was opened, and still has.
  const perms = team.perms & (world.team(teamId)?.perms ?? 0)
  const part = person && live.rows(personRows).find(person.id)?.perms
  return { teamId, isExternal, perms: perms & (part ?? perms) }
}

/** Whether the token is still valid: the team may have been deleted, signed out everywhere, or switched its token off. */
function isStillSignedIn({ team }: StreamClient, { live }: Snapshot): boolean {
  const row = team && live.team(team.id)
  if (!team || !row) return false
  if (team.person) return isStillInTeam(team.person, { world: live, team })
  return !isVoid(team, row) && (team.isExternal || !row.tokenOff)
}

interface Place {
  readonly world: WorldView
  readonly team: { readonly id: string; readonly issuedAt: number }
}

function isStillInTeam(
  { id, sessionId }: { readonly id: string; readonly sessionId: string },
  { world, team }: Place,
): boolean {
  const person = world.rows(personRows).find(id)
  if (person?.teamId !== team.id || team.issuedAt < person.sessionsValidFrom) return false
  return !world.rows(endedSessionRows).has(sessionId)
}
