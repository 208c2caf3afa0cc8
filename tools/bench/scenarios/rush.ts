import { SECOND_MS } from '@pennant/contract/durations.ts'
import { openContest } from '../../lib/large-contest.ts'
import { addressOf } from '../../seed/large/load.ts'
import { DATA_SETS, openingSet } from '../../seed/large/sets.ts'
import { startPlainServer, type PlainServer } from '../limits/plain.ts'
import type { Options } from '../options.ts'
import { progress, type Row, type Section } from '../report.ts'
import { runRushApart, specOf, type RushPlan, type RushResult } from '../rush/browsers.ts'
import { stepsOf } from '../rush/script.ts'
import { embeddedDatabasePid, serverMib, usageOf } from '../usage.ts'

// The opening of an event: browsers open the site, sign in, look around and download, more of them per second at each step.

/** Browsers per second; the first rate that is hopeless ends them. */
const LONG = { rates: [50, 100, 200, 400, 600, 800, 1000, 1200, 2000], rateS: 6 }
const SHORT = { rates: [20], rateS: 1 }
const HOPELESS_P99_MS = 5 * SECOND_MS
const PAUSE_MS = SECOND_MS
const WARM_UP = { browsers: 40, arrivalsPerS: 20 }

export async function rushScenario(options: Options): Promise<Section[]> {
  const { isShort, data, redisUrl, processes: count } = options
  const { rates, rateS } = isShort ? SHORT : LONG
  const encoding = options.encodings[0] ?? 'identity'
  const { teams, writers } = DATA_SETS[data]
  const env = { PENNANT_HTTP_MAX_CONNECTIONS: '1000000', ...(redisUrl !== null && { REDIS_URL: redisUrl }) }
  const serveArgs = count > 1 ? ['--processes', String(count)] : []
  await using contest = await openContest(openingSet(teams + writers), { env, serveArgs })
  using plain = await startPlainServer()
  const plan: RushPlan = {
    ...WARM_UP,
    url: contest.instance.url,
    encoding,
    teams: contest.generated.teamIds.map((_, team) => ({
      token: contest.tokenOf(team),
      loginToken: contest.loginTokenOf(team),
      address: addressOf(team),
    })),
    steps: await stepsOf(contest),
    pauseMs: PAUSE_MS,
  }
  const plainPlan = await atPlain(plan, plain)
  await runRushApart(plan)
  await runRushApart(plainPlan)
  const processes = {
    server: contest.instance.process.pid ?? null,
    database: embeddedDatabasePid(contest.dataDir),
  }
  const rows: Row[] = []
  for (const rate of rates) {
    const size = { browsers: rate * rateS, arrivalsPerS: rate }
    const before = usageOf(processes)
    const result = await runRushApart({ ...plan, ...size })
    const after = usageOf(processes)
    const limit = await runRushApart({ ...plainPlan, ...size })
    const cores = (key: 'serverS' | 'databaseS') =>
      ((after[key] ?? NaN) - (before[key] ?? NaN)) / result.seconds
    rows.push(
      progress({
        'browsers per s': rate,
        ...rowOf(result),
        'server cores': cores('serverS'),
        'database cores': cores('databaseS'),
        'generator cores': result.generatorS / result.seconds,
        MiB: Math.round(serverMib(processes) ?? NaN),
        'plain p99 ms': limit.p99Ms,
      }),
    )
    if (result.p99Ms > HOPELESS_P99_MS || result.unfinished > 0) break
  }
  const conditions = `Accept-Encoding ${encoding}, ${count} process${count === 1 ? '' : 'es'}`
  return [{ title: `Rush, ${teams + writers} teams, ${conditions}`, rows }]
}

/** The same requests at a plain server, which sends what the server sends to the first team. */
async function atPlain(plan: RushPlan, plain: PlainServer): Promise<RushPlan> {
  const [team] = plan.teams
  if (!team) throw new Error('a rush needs teams')
  const steps = []
  for (const step of plan.steps) {
    const copied = []
    for (const request of step) {
      const { path } = await plain.copy(plan.url, specOf(request, plan.encoding, team))
      copied.push({ ...request, path })
    }
    steps.push(copied)
  }
  return { ...plan, url: plain.url, steps }
}

function rowOf({ count, seconds, p50Ms, p99Ms, maxMs, failures, unfinished }: RushResult): Row {
  return {
    'requests per s': Math.round(count / seconds),
    'p50 ms': p50Ms,
    'p99 ms': p99Ms,
    'max ms': Math.round(maxMs),
    failed: Object.entries(failures)
      .map(([status, times]) => `${times} × ${status}`)
      .join(', '),
    unfinished: unfinished || null,
  }
}
