import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { findFreePort } from '../lib/free-port.ts'
import type { Database } from '../db/database.ts'
import { StartError } from '../lib/errors.ts'
import { forgetEvent } from '../ops/demo/event.ts'
import { play } from '../ops/demo/play.ts'
import { openDemo, type Demo } from './open-demo.ts'
import type { ProcessContext } from './process-context.ts'

export interface PublicDemoCommand {
  readonly port: number
  readonly host: string
  readonly origin?: string
  /** Proxies whose forwarding headers count. */
  readonly trust: readonly string[]
  readonly teams?: number
  readonly speed: number
  readonly resetMinutes: number
}

const FOLDER = 'data-demo-public'
const DEFAULT_TEAMS = 300
/** Teams that visitors play. Each one's flags are limited, so that one visitor blocks few others. */
const PLAYERS = 20
/** Before a reset, the next event is prepared: half a minute of work on a small machine. */
const MAX_LEAD_MS = 5 * MINUTE_MS

/**
 * `pennant demo --public`: a demo for strangers, which starts over every hour (docs/operate/public-demo.md). Each event is prepared
 * by a server that only this machine reaches, in one of two folders; then a server that refuses changes serves it.
 */
export async function publicDemo(context: ProcessContext, command: PublicDemoCommand): Promise<void> {
  const { resetMinutes, speed } = command
  const everyMs = resetMinutes * MINUTE_MS
  const signal = context.catchSignals()
  let shown: Shown | null = null
  let resetAt = 0
  try {
    for (let round = 0; !signal.aborted; round = 1 - round) {
      const folder = join(resolve(FOLDER), String(round))
      const ids = await prepare(context, { folder, command })
      await until(resetAt, { signal, shown })
      await shown?.end()
      if (signal.aborted) return
      resetAt = nextReset(Date.now(), everyMs)
      shown = await show(context, { folder, command, config: { publicDemo: { ...ids, resetAt } } })
      shown.play(ids.players, speed)
      context.print(`Public demo at ${shown.origin} until ${new Date(resetAt).toISOString()}`)
      await until(resetAt - Math.min(MAX_LEAD_MS, everyMs / 2), { signal, shown })
    }
  } finally {
    await shown?.end()
  }
}

/** The next multiple of the interval that is not too close: visitors have at least half of it. */
export function nextReset(now: number, everyMs: number): number {
  return Math.ceil((now + everyMs / 2) / everyMs) * everyMs
}

interface Round {
  readonly folder: string
  readonly command: PublicDemoCommand
}

/** Writes a new event into the folder, instead of the one before the last. */
async function prepare(context: ProcessContext, { folder, command }: Round) {
  await forgetEvent(folder)
  const { teams = DEFAULT_TEAMS } = command
  const port = await findFreePort()
  await using demo = await openDemo(context, {
    folder,
    port,
    teams,
    phase: 'live',
    withEngine: false,
    say: () => {},
  })
  return { organiser: demo.event.organiserId, players: await visitorTeams(demo.db) }
}

/** The last that registered have solved least. */
async function visitorTeams(db: Database): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select id from teams where perms = 0 and not banned order by n desc limit ${PLAYERS}`)
  return rows.map(({ id }) => id)
}

interface Shown {
  readonly origin: string
  readonly ended: Promise<unknown>
  /** Lets simulated teams continue, except for those of visitors. */
  play(visitors: readonly string[], speed: number): void
  end(): Promise<void>
}

async function show(context: ProcessContext, round: Round & { readonly config: object }): Promise<Shown> {
  const { folder, command } = round
  const { port, host, trust, origin = `http://127.0.0.1:${port}` } = command
  const config = {
    ...round.config,
    origin,
    proxy: { trust },
    registrationsEnabled: false,
    metrics: { enabled: false },
  }
  const demo: Demo = await openDemo(context, {
    folder,
    port,
    host,
    config,
    // Of the event that the folder has.
    teams: 0,
    phase: 'live',
    withEngine: false,
    say: () => {},
  })
  const ended = new AbortController()
  let played = Promise.resolve()
  return {
    origin,
    ended: demo.ended,
    play(idleIds, speed) {
      played = play({ ...demo, ...demo.event, idleIds, speed, signal: ended.signal, say: () => {} })
    },
    async end() {
      if (ended.signal.aborted) return
      ended.abort()
      await played
      await demo[Symbol.asyncDispose]()
    },
  }
}

/** Throws if the server ends before: then whatever restarts this program starts over. */
async function until(
  at: number,
  { signal, shown }: { readonly signal: AbortSignal; readonly shown: Shown | null },
): Promise<void> {
  const ms = at - Date.now()
  if (ms <= 0) return
  // Rejects when the signal aborts.
  const waited = sleep(ms, false, { signal }).catch(() => false)
  const hasEnded = await Promise.race([waited, ...(shown ? [shown.ended.then(() => true)] : [])])
  if (hasEnded && !signal.aborted) throw new StartError('The server of the demo has ended.')
}
