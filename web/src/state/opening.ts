import { clockDifferenceMs, serverNow } from './clock.ts'
import { challengeListRefetchAt, jitteredTime, OPENING_MS, outsideRush, type Asker } from './start-stagger.ts'
import { pause } from './pause.ts'
import { readStored, writeStored } from './storage.ts'

// What this tab knows about the start, so that reads are staggered: docs/reference/site.md#start-and-end.
// Queries report it.

/** The challenge list loads first, everything else later. */
export type Turn = 'first' | 'later'

const VISITOR_KEY = 'pennant.turn'
const chance = Math.random()

let startTime: number | null = null
let team: string | null = null
/** When the user last opened a page or returned to the tab, browser's clock. */
let cameAt = Date.now()

export function learnStart(at: number): void {
  startTime = at
}

/** Null before the first configuration. */
export function startKnown(): number | null {
  return startTime
}

/** Null: signed out. */
export function learnTeam(id: string | null): void {
  team = id
}

/** The user opened a page or returned to the tab: its data is requested immediately. */
export function recordVisit(): void {
  cameAt = Date.now()
}

/**
 * Resolves when this browser may send the request: immediately, except in the first seconds after the start.
 */
export async function turnToAsk(turn: Turn | undefined, signal: AbortSignal | undefined): Promise<void> {
  if (turn !== undefined) await pause(turnAt(turn) - serverNow(), signal)
}

function turnAt(turn: Turn): number {
  const now = serverNow()
  if (startTime === null || now < startTime || now > startTime + OPENING_MS) return now
  if (turn === 'first') return challengeListRefetchAt(startTime, asker())
  return cameAt - clockDifferenceMs() >= startTime ? now : jitteredTime(startTime, chance)
}

/** Stored, so that a reload does not draw a new random delay. */
function asker(): Asker {
  if (team !== null) return { kind: 'team', id: team }
  const id = readStored(VISITOR_KEY) ?? String(chance)
  writeStored(VISITOR_KEY, id)
  return { kind: 'visitor', id }
}

/** Whether a page without data may still be waiting for its turn. */
export function isOpening(now: number): boolean {
  return startTime !== null && now >= startTime && now < startTime + OPENING_MS
}

interface Refresh {
  /** Time of the last response, browser's clock. */
  readonly answeredAt: number
  readonly waitMs: number
  readonly everyMs: number
  readonly chance: number
}

/** Milliseconds from a response to the next refresh, skipping the rush at the start. */
export function waitOutsideRush({ answeredAt, waitMs, everyMs, chance: drawn }: Refresh): number {
  if (startTime === null || answeredAt === 0) return waitMs
  const dueAt = answeredAt - clockDifferenceMs() + waitMs
  return waitMs + Math.round(outsideRush(startTime, { dueAt, everyMs, chance: drawn }) - dueAt)
}
