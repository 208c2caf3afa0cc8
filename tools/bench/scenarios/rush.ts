import { MINUTE_MS, SECOND_MS } from '@pennant/contract/durations.ts'
import { DATA_SETS } from '../data/sets.ts'
import { startPlainServer } from '../limits/plain.ts'
import type { Options } from '../options.ts'
import { progress, type Row, type Section } from '../report.ts'
import { openRushContest } from '../rush/contest.ts'
import type { RushPlan, RushResult, StepResult } from '../rush/plan.ts'
import { playApart, type Played } from '../rush/process.ts'
import { plainPlanOf, planOf, playOf } from '../rush/script.ts'
import { embeddedDatabasePid, type Processes } from '../usage.ts'

// The opening of an event: the browsers of all teams open the site, sign in, look around, download and submit, while waves of
// challenges open. Each sends what the site would ask.

const BROWSERS_PER_TEAM = 2
/** All browsers arrive within this time. */
const RUSH_S = 10
/** The play goes on this long after the last arrival, and waves open after these parts of it. */
const PLAY_MS = 40 * SECOND_MS
const WAVES_AT = [0.25, 0.5, 0.75]
const FLAG_EVERY_MS = 20 * SECOND_MS
/** Browsers per second, one step after the other; the first one that is too much ends them. */
const RATES = [50, 100, 200, 400, 600, 800, 1000, 1200]
const RATE_S = 6
/** What players notice. */
const ENOUGH_P99_MS = 500
const HOPELESS_P99_MS = 5 * SECOND_MS
const SHORT = { teams: 30, rates: [20], rateS: 1, rushS: 2, playMs: 8 * SECOND_MS, flagEveryMs: SECOND_MS }
const LONG = { rates: RATES, rateS: RATE_S, rushS: RUSH_S, playMs: PLAY_MS, flagEveryMs: FLAG_EVERY_MS }
const WARM_UP = { browsers: 40, arrivalsPerS: 20 }

export async function rushScenario(options: Options): Promise<Section[]> {
  const size = options.isShort ? SHORT : { ...LONG, teams: teamsOf(options) }
  const { teams, rates, rateS, rushS, playMs, flagEveryMs } = size
  const env = {
    PENNANT_HTTP_MAX_CONNECTIONS: '1000000',
    ...(options.redisUrl !== null && { REDIS_URL: options.redisUrl }),
  }
  await using rush = await openRushContest(teams, {
    env,
    serveArgs: options.processes > 1 ? ['--processes', String(options.processes)] : [],
  })
  const { instance, dataDir } = rush.contest
  const processes = { server: instance.process.pid ?? null, database: embeddedDatabasePid(dataDir) }
  const base = planOf(rush, { teams, url: instance.url, options })
  await rush.startEvent(Date.now() - MINUTE_MS)
  await playApart({ ...base, ...WARM_UP }, processes)
  const steps = await rateRows(base, { rates, rateS }, processes)
  const browsers = teams * BROWSERS_PER_TEAM
  const untilMs = rushS * SECOND_MS + playMs
  const wavesMs = WAVES_AT.map((part) => rushS * SECOND_MS + part * playMs)
  const whole = { ...base, browsers, arrivalsPerS: browsers / rushS }
  const atPlain = await playAtPlain(whole)
  await rush.scheduleWaves(wavesMs.map((ms) => Date.now() + ms))
  const play = { ...playOf(), wavesMs, untilMs, flagEveryMs }
  const atServer = await playApart({ ...whole, play }, processes)
  const conditions = conditionsOf(options)
  return [
    {
      title: `Rush, arrivals step by step, ${teams} teams, ${conditions}`,
      rows: steps.rows,
      notes: steps.notes,
    },
    wholeSection(`Rush, ${browsers} browsers of ${teams} teams within ${rushS} s, ${conditions}`, atServer),
    wholeSection(
      'The limit: the opening of the same browsers at a plain server that sends the same bytes',
      atPlain,
    ),
  ]
}

/** Plays the opening at a plain server, which copies what the server at the plan's address sends. */
async function playAtPlain(plan: RushPlan): Promise<Played> {
  using plain = await startPlainServer()
  const processes = { server: plain.pid, database: null }
  const copied = await plainPlanOf(plan, plain)
  await playApart({ ...copied, ...WARM_UP }, processes)
  return await playApart(copied, processes)
}

function wholeSection(title: string, played: Played): Section {
  const { result } = played
  const rows = [...result.steps, result.all].map((step) => rowOf(step, result))
  return { title, rows, notes: [costOf(played), ...failureNotes(result)] }
}

function teamsOf({ data }: Options): number {
  const { teams, writers } = DATA_SETS[data]
  return teams + writers
}

function conditionsOf({ encodings: [encoding], processes }: Options): string {
  return `Accept-Encoding ${encoding}, ${processes} process${processes === 1 ? '' : 'es'}`
}

interface Rates {
  readonly rates: readonly number[]
  readonly rateS: number
}

/** A row for each rate until one is hopeless, and what broke first. */
async function rateRows(base: RushPlan, { rates, rateS }: Rates, processes: Processes) {
  const rows: Row[] = []
  let broke: string | null = null
  for (const rate of rates) {
    const played = await playApart({ ...base, browsers: rate * rateS, arrivalsPerS: rate }, processes)
    const { all, steps, seconds, generatorS, unfinished } = played.result
    const worst = steps.reduce((one, other) => (other.p99Ms > one.p99Ms ? other : one))
    const row = {
      'browsers per s': rate,
      ...figuresOf(all),
      'requests per s': Math.round(all.count / seconds),
      unfinished: unfinished || null,
      'server cores': played.server,
      'database cores': played.database,
      'generator cores': generatorS / seconds,
      MiB: played.serverMib === null ? null : Math.round(played.serverMib),
    }
    rows.push(progress(row))
    const isTooMuch = all.failed + all.refused > 0 || all.p99Ms > ENOUGH_P99_MS || unfinished > 0
    if (isTooMuch && broke === null) broke = breakOf(rate, all, worst)
    if (all.p99Ms > HOPELESS_P99_MS || unfinished > 0) break
  }
  return { rows, notes: [broke ?? `Nothing broke up to ${rates.at(-1)} browsers per second.`] }
}

function breakOf(rate: number, all: StepResult, worst: StepResult): string {
  const what = [
    all.failed > 0 && `${all.failed} failed`,
    all.refused > 0 && `${all.refused} were refused and repeated`,
    `the slowest step is "${worst.name}" with p99 ${Math.round(worst.p99Ms)} ms`,
  ]
  return `Breaks first at ${rate} browsers per second: ${what.filter(Boolean).join(', ')}.`
}

function figuresOf({ p50Ms, p99Ms, p999Ms, maxMs, refused, failed }: StepResult): Row {
  return {
    'p50 ms': p50Ms,
    'p99 ms': p99Ms,
    'p99.9 ms': p999Ms,
    'max ms': Math.round(maxMs),
    refused: refused || null,
    failed: failed || null,
  }
}

function rowOf(step: StepResult, { seconds }: RushResult): Row {
  return {
    step: step.name,
    requests: step.count,
    ...figuresOf(step),
    'per s': Math.round(step.count / seconds),
  }
}

function costOf({ result, server, database, serverMib: mib }: Played): string {
  const cores = [
    ['server', server],
    ['database', database],
    ['generator', result.generatorS / result.seconds],
  ] as const
  const used = cores
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name} ${value?.toFixed(2)}`)
  const end = mib === null ? '' : `; the server has ${Math.round(mib)} MiB at the end`
  return `Cores over ${result.seconds.toFixed(0)} s: ${used.join(', ')}${end}.`
}

function failureNotes({ failures, unfinished }: RushResult): string[] {
  const lines = Object.entries(failures).map(([what, count]) => `${count} × ${what}`)
  if (unfinished > 0) lines.push(`${unfinished} browsers had not finished`)
  return lines.length === 0 ? [] : [`Failures: ${lines.join('; ')}.`]
}
