import { clockDifferenceMs, serverNow } from './clock.ts'
import { firstTurnAt, laterTurnAt, OPENING_MS, outsideRush, type Asker } from './opening-rules.ts'
import { pause } from './pause.ts'
import { readStored, writeStored } from './storage.ts'

// What this tab knows of the start, so that reads wait for their turn (site specification 4.3). Queries tell it.

/** The list of challenges comes first, everything else later. */
export type Turn = 'first' | 'later'

const VISITOR_KEY = 'pennant.turn'
const chance = Math.random()

let startTime: number | null = null
let team: string | null = null
/** When somebody last came to this page, the browser's clock. */
let cameAt = Date.now()

export function learnStart(at: number): void {
  startTime = at
}

/** Null before the first configuration. */
export function startKnown(): number | null {
  return startTime
}

/** Null: nobody is signed in. */
export function learnTeam(id: string | null): void {
  team = id
}

/** Somebody opened a page or came back to the tab: what it shows is asked for at once. */
export function noteVisit(): void {
  cameAt = Date.now()
}

/** Resolves when it is this browser's turn to ask, which but for the first seconds after the start is at once. */
export async function turnToAsk(turn: Turn | undefined, signal: AbortSignal | undefined): Promise<void> {
  if (turn !== undefined) await pause(turnAt(turn) - serverNow(), signal)
}

function turnAt(turn: Turn): number {
  const now = serverNow()
  if (startTime === null || now < startTime || now > startTime + OPENING_MS) return now
  if (turn === 'first') return firstTurnAt(startTime, asker())
  return cameAt - clockDifferenceMs() >= startTime ? now : laterTurnAt(startTime, chance)
}

/** A browser keeps its draw: reloading would otherwise be a new chance. */
function asker(): Asker {
  if (team !== null) return { kind: 'team', id: team }
  const id = readStored(VISITOR_KEY) ?? String(chance)
  writeStored(VISITOR_KEY, id)
  return { kind: 'visitor', id }
}

/** Whether a page that has nothing yet may still wait for its turn. */
export function isOpening(now: number): boolean {
  return startTime !== null && now >= startTime && now < startTime + OPENING_MS
}

interface Refresh {
  /** Of the last answer, the browser's clock. */
  readonly answeredAt: number
  readonly waitMs: number
  readonly everyMs: number
  readonly chance: number
}

/** Milliseconds from an answer to the next refresh, the rush of the start left out. */
export function waitOutsideRush({ answeredAt, waitMs, everyMs, chance: drawn }: Refresh): number {
  if (startTime === null || answeredAt === 0) return waitMs
  const dueAt = answeredAt - clockDifferenceMs() + waitMs
  return waitMs + Math.round(outsideRush(startTime, { dueAt, everyMs, chance: drawn }) - dueAt)
}
