import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { MINUTE_MS, SECOND_MS } from '@pennant/contract/durations.ts'
import { addressOf } from '../data/load.ts'
import { DATA_SETS } from '../data/sets.ts'
import type { Options } from '../options.ts'
import type { Row, Section } from '../report.ts'
import { openRushContest, type RushContest } from '../rush/contest.ts'
import type { RushPlan, RushPlay, RushResult, ScriptStep, StepResult } from '../rush/plan.ts'
import { startProxy } from '../rush/proxy.ts'
import { builtAssets, readRecording, requestOf, type StepName } from '../rush/recording.ts'
import { embeddedDatabasePid, serverMib, usageOf, type Processes, type Usage } from '../usage.ts'

// The opening of an event: the browsers of all teams open the site, sign in, look around, download and submit, while waves of
// challenges open. Each sends what the recorded browser sent: `rush/recording.json`.

const OPENING: readonly StepName[] = ['open', 'sign in', 'challenges', 'scoreboard', 'challenge', 'file']
const BROWSERS_PER_TEAM = 2
const PAUSE_MS = SECOND_MS
/** All browsers arrive within this time. */
const RUSH_S = 10
/** The play goes on this long after the last arrival, and waves open after these parts of it. */
const PLAY_MS = 40 * SECOND_MS
const WAVES_AT = [0.25, 0.5, 0.75]
/** The site spreads its reads after a release over this time. */
const WAVE_SPREAD_MS = 3 * SECOND_MS
const FLAG_EVERY_MS = 20 * SECOND_MS
const WRONG_SHARE = 0.6
/** Browsers per second, one step after the other; the first one that is too much ends them. */
const RATES = [25, 50, 100, 200, 400, 800]
const RATE_S = 8
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
  await using proxy = options.proxy === null ? null : await startProxy(options.proxy, instance.url)
  const processes = { server: instance.process.pid ?? null, database: embeddedDatabasePid(dataDir) }
  const base = planOf(rush, { teams, url: proxy?.url ?? instance.url, options })
  const measured: Measured = { processes, proxyPid: proxy?.pid ?? null }
  await rush.startEvent(Date.now() - MINUTE_MS)
  await playApart({ ...base, ...WARM_UP }, measured)
  const steps = await rateRows(base, { rates, rateS }, measured)
  const browsers = teams * BROWSERS_PER_TEAM
  const untilMs = rushS * SECOND_MS + playMs
  const wavesMs = WAVES_AT.map((part) => rushS * SECOND_MS + part * playMs)
  await rush.scheduleWaves(wavesMs.map((ms) => Date.now() + ms))
  const play = { ...playOf(), wavesMs, untilMs, flagEveryMs }
  const whole = await playApart({ ...base, browsers, arrivalsPerS: browsers / rushS, play }, measured)
  const conditions = conditionsOf(options)
  return [
    {
      title: `Rush, arrivals step by step, ${teams} teams, ${conditions}`,
      rows: steps.rows,
      notes: steps.notes,
    },
    {
      title: `Rush, ${browsers} browsers of ${teams} teams within ${rushS} s, ${conditions}`,
      rows: [...whole.result.steps, whole.result.all].map((step) => rowOf(step, whole.result)),
      notes: [costOf(whole), ...failureNotes(whole.result)],
    },
  ]
}

function teamsOf({ data }: Options): number {
  const { teams, writers } = DATA_SETS[data]
  return teams + writers
}

function conditionsOf({ encoding, proxy, processes, isWarm }: Options): string {
  return [
    `Accept-Encoding ${encoding}`,
    proxy === null ? 'no proxy' : `TLS by ${proxy}`,
    `${processes} process${processes === 1 ? '' : 'es'}`,
    isWarm ? 'assets cached by the browsers' : 'nothing cached',
  ].join(', ')
}

interface Based {
  readonly teams: number
  readonly url: string
  readonly options: Options
}

function planOf(rush: RushContest, { teams, url, options }: Based): RushPlan {
  const { contest, files, challengeIds } = rush
  return {
    url,
    encoding: options.encoding,
    browsers: 1,
    arrivalsPerS: 1,
    teams: Array.from({ length: teams }, (_, team) => ({
      id: contest.generated.teamIds[team] ?? '',
      token: contest.tokenOf(team),
      loginToken: contest.loginTokenOf(team),
      address: addressOf(team),
    })),
    opening: OPENING.map((name) => stepOf(name, options.isWarm)),
    pauseMs: PAUSE_MS,
    play: null,
    challengeIds,
    files,
  }
}

const recording = readRecording()

function stepOf(name: StepName, isWarm: boolean): ScriptStep {
  const assets = builtAssets()
  const requests = recording[name].map((line) => requestOf(line, assets))
  return { name, requests: isWarm ? requests.filter(({ path }) => !path.startsWith('/assets/')) : requests }
}

function playOf(): Omit<RushPlay, 'wavesMs' | 'untilMs' | 'flagEveryMs'> {
  return {
    wrong: stepOf('wrong flag', true),
    right: stepOf('right flag', true),
    wave: stepOf('wave', true),
    waveSpreadMs: WAVE_SPREAD_MS,
    wrongShare: WRONG_SHARE,
  }
}

interface Measured {
  readonly processes: Processes
  readonly proxyPid: number | null
}

interface Played {
  readonly result: RushResult
  /** Seconds of processor time for each second. */
  readonly server: number | null
  readonly database: number | null
  readonly proxy: number | null
  readonly serverMib: number | null
}

/** Runs the generator in a process of its own. */
async function playApart(plan: RushPlan, { processes, proxyPid }: Measured): Promise<Played> {
  const child = fork(fileURLToPath(new URL('../rush/generator.ts', import.meta.url)), ['rush'])
  const ended = once(child, 'exit').then(([status]) => {
    throw new Error(`the generator ended with status ${String(status)}`)
  })
  ended.catch(() => {})
  try {
    await Promise.race([once(child, 'message'), ended])
    const usage = (): [Usage, Usage] => [usageOf(processes), usageOf({ server: proxyPid, database: null })]
    const [before, proxyBefore] = usage()
    child.send(plan)
    const [{ result }] = (await Promise.race([once(child, 'message'), ended])) as [{ result: RushResult }]
    const [after, proxyAfter] = usage()
    const share = (from: number | null, to: number | null) =>
      from === null || to === null ? null : (to - from) / result.seconds
    return {
      result,
      server: share(before.serverS, after.serverS),
      database: share(before.databaseS, after.databaseS),
      proxy: share(proxyBefore.serverS, proxyAfter.serverS),
      serverMib: serverMib(processes),
    }
  } finally {
    child.kill()
  }
}

interface Rates {
  readonly rates: readonly number[]
  readonly rateS: number
}

/** A row for each rate until one is hopeless, and what broke first. */
async function rateRows(base: RushPlan, { rates, rateS }: Rates, measured: Measured) {
  const rows: Row[] = []
  let broke: string | null = null
  for (const rate of rates) {
    const played = await playApart({ ...base, browsers: rate * rateS, arrivalsPerS: rate }, measured)
    const { all, steps, seconds, generatorS, unfinished } = played.result
    const worst = steps.reduce((one, other) => (other.p99Ms > one.p99Ms ? other : one))
    rows.push({
      'browsers per s': rate,
      ...figuresOf(all),
      'requests per s': Math.round(all.count / seconds),
      unfinished: unfinished || null,
      'server cores': played.server,
      'database cores': played.database,
      'proxy cores': played.proxy,
      'generator cores': generatorS / seconds,
      MiB: played.serverMib === null ? null : Math.round(played.serverMib),
    })
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

function costOf({ result, server, database, proxy, serverMib: mib }: Played): string {
  const cores = [
    ['server', server],
    ['database', database],
    ['proxy', proxy],
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
