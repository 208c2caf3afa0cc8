import { setImmediate } from 'node:timers/promises'
import type { Connections } from './connections.ts'
import { frame } from './frames.ts'
import type { Snapshot } from '../../contest/kinds/stream-kind.ts'
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
  /** What each connected team was last sent. */
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
        const standing = ownStanding(teamId, snapshot)
        if (!standing) continue
        const text = frame('team', standing)
        next.set(teamId, text)
        if (sent.get(teamId) !== text) {
          for (const connection of connections.ofTeam(teamId)) connections.write(connection, text)
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
