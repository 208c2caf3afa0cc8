import { setImmediate } from 'node:timers/promises'
import type { Connections } from './connections.ts'
import { frame } from './frames.ts'
import type { Receiver, Snapshot } from '../../contest/kinds/stream-kind.ts'
import { receiverOf } from './batch.ts'
import { ownStanding } from './kinds.ts'

/** Sends each team its own score and ranks when they change. */
export interface OwnStandings {
  /** Resolves to the milliseconds of processor time that it took. `processorMs` returns that of this process. */
  send(snapshot: Snapshot, processorMs: () => number): Promise<number>
}

/** One solve changes the scores of all that solved the challenge before. */
const MIN_GAP_MS = 1000
const TEAMS_PER_TURN = 500

/** `elapsedMs`: a monotonic clock in milliseconds. */
export function createOwnStandings(connections: Connections, elapsedMs: () => number): OwnStandings {
  /** What the connections of each team were last sent. */
  let sent = new Map<string, string>()
  let lastKey = ''
  let nextAt = 0

  return {
    async send(snapshot, processorMs) {
      const begun = elapsedMs()
      if (begun < nextAt || snapshot.world.boardKey === lastKey) return 0
      lastKey = snapshot.world.boardKey
      const next = new Map<string, string>()
      let busyMs = 0
      let turnAt = processorMs()
      const teamIds = [...connections.teamIds()]
      for (const [index, teamId] of teamIds.entries()) {
        for (const connection of connections.ofTeam(teamId)) {
          const receiver = receiverOf(connection.client, snapshot)
          // Tokens of other sites have no permissions.
          const key = receiver.isExternal ? `${teamId} external` : teamId
          const text = next.get(key) ?? textOf(receiver, snapshot)
          next.set(key, text)
          if (sent.get(key) !== text && text !== '') connections.write(connection, text)
        }
        if (index % TEAMS_PER_TURN < TEAMS_PER_TURN - 1) continue
        busyMs += processorMs() - turnAt
        await setImmediate()
        turnAt = processorMs()
      }
      sent = next
      nextAt = begun + MIN_GAP_MS
      return busyMs + processorMs() - turnAt
    },
  }
}

function textOf(receiver: Receiver, snapshot: Snapshot): string {
  const standing = ownStanding(receiver, snapshot)
  return standing ? frame('team', standing) : ''
}
