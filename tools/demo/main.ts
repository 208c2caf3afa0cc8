import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { PHASES, readEvent, type Phase } from '../seed/event.ts'
import { openDemo } from './open.ts'
import { play } from './play.ts'

const USAGE = `npm run demo -- [--port 3000] [--teams 300] [--phase before|opening|live|ended] [--speed 1] [--fresh]

Runs a server with an example event in its second day, and lets simulated teams keep playing at a human pace.

  --teams   registered teams, up to 20000
  --phase   before the start, opening (in half a minute), live (default), or ended
  --speed   how much faster than people the teams play
  --fresh   starts over: deletes the data of earlier runs

The data is kept in data-demo; later starts continue with it.`

const MAX_TEAMS = 20_000
const DEFAULT_TEAMS = 300
const folder = fileURLToPath(new URL('../../data-demo', import.meta.url))

interface Options {
  readonly port: number
  /** Undefined: what the data has, or the default. */
  readonly teams: number | undefined
  readonly phase: Phase | undefined
  readonly speed: number
  readonly isFresh: boolean
}

function readOptions(): Options | string {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: process.env['PORT'] ?? '3000' },
      teams: { type: 'string' },
      phase: { type: 'string' },
      speed: { type: 'string', default: '1' },
      fresh: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return USAGE
  const teams = values.teams === undefined ? undefined : Number(values.teams)
  if (teams !== undefined && !(Number.isInteger(teams) && teams >= 1 && teams <= MAX_TEAMS))
    return `--teams must be 1 to ${MAX_TEAMS}.`
  const phase = PHASES.find((name) => name === values.phase)
  if (values.phase !== undefined && !phase) return `--phase must be one of ${PHASES.join(', ')}.`
  const speed = Number(values.speed)
  if (!(speed > 0)) return '--speed must be above 0.'
  return { port: Number(values.port), teams, phase, speed, isFresh: values.fresh }
}

async function main({ port, teams, phase, speed, isFresh }: Options): Promise<void> {
  if (isFresh) await rm(folder, { recursive: true, force: true })
  const known = await readEvent(folder)
  if (known && ((phase ?? known.phase) !== known.phase || (teams ?? known.teams) !== known.teams)) {
    console.error(
      `data-demo has ${known.teams} teams and the phase ${known.phase}. Add --fresh to start over with other options.`,
    )
    process.exitCode = 2
    return
  }
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  process.once('SIGTERM', () => stop.abort())
  await using demo = await openDemo({
    folder,
    port,
    teams: teams ?? DEFAULT_TEAMS,
    phase: phase ?? 'live',
    withEngine: true,
    say,
  })
  const { url, event, linkOf } = demo
  say(`\nHarbour CTF is ${stateOf(event)} at ${url}\n`)
  say(`  Visitor:   ${url}/`)
  say(`  Player:    ${linkOf(event.playerId)}`)
  say(`  Organiser: ${linkOf(event.organiserId)}\n`)
  say('Stop with Ctrl-C; the next start continues. --fresh starts over.')
  const ended = new Promise((resolve) => stop.signal.addEventListener('abort', resolve))
  await play({ ...demo, ...event, speed, signal: stop.signal, say })
  if (stop.signal.aborted) return
  say('The event has ended. The server runs until Ctrl-C.')
  await ended
}

function say(line: string): void {
  console.log(line)
}

function stateOf({ startTime, endTime }: { readonly startTime: number; readonly endTime: number }): string {
  if (Date.now() < startTime) return 'not open yet'
  return Date.now() < endTime ? 'open' : 'over'
}

const options = readOptions()
if (typeof options === 'string') console.log(options)
else await main(options)
