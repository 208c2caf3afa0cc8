import { resolve } from 'node:path'
import { StartError } from '../lib/errors.ts'
import { forgetEvent, readEvent, type Phase, type Times } from '../ops/demo/event.ts'
import { play } from '../ops/demo/play.ts'
import { openDemo } from './open-demo.ts'
import type { ProcessContext } from './process-context.ts'

export interface DemoCommand {
  readonly port: number
  /** Undefined: what the data has, or the default. */
  readonly teams?: number
  readonly phase?: Phase
  readonly speed: number
  readonly fresh?: boolean
}

const FOLDER = 'data-demo'
const DEFAULT_TEAMS = 300

/** `pennant demo`: an example event with its own server, in which simulated teams keep playing at a human pace. */
export async function demo(context: ProcessContext, command: DemoCommand): Promise<void> {
  const { port, teams, phase, speed, fresh = false } = command
  const folder = resolve(FOLDER)
  const say = context.print
  if (fresh) await forgetEvent(folder)
  const known = await readEvent(folder)
  if (known && ((phase ?? known.phase) !== known.phase || (teams ?? known.teams) !== known.teams))
    throw new StartError(
      `${FOLDER} has ${known.teams} teams and the phase ${known.phase}. Add --fresh to start over with other options.`,
    )
  const signal = context.catchSignals()
  const options = {
    folder,
    port,
    teams: teams ?? DEFAULT_TEAMS,
    phase: phase ?? 'live',
    withEngine: true,
    say,
  }
  await using running = await openDemo(context, options)
  const { url, event, linkOf } = running
  say(`\nHarbour CTF is ${stateOf(event)} at ${url}\n`)
  say(`  Visitor:   ${url}/`)
  say(`  Player:    ${linkOf(event.playerId)}`)
  say(`  Organiser: ${linkOf(event.organiserId)}\n`)
  say(`Stop with Ctrl-C; the next start continues with ${folder}, and --fresh starts over.`)
  await play({ ...running, ...event, idleIds: [event.playerId], speed, signal, say })
  if (signal.aborted) return
  say('The event has ended. The server runs until Ctrl-C.')
  await new Promise((done) => signal.addEventListener('abort', done))
}

function stateOf({ startTime, endTime }: Times): string {
  if (Date.now() < startTime) return 'not open yet'
  return Date.now() < endTime ? 'open' : 'over'
}
