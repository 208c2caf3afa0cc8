import { createClient } from '@pennant/contract/client.ts'
import { MINUTE_MS, SECOND_MS } from '@pennant/contract/durations.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { DATA_SETS } from '../data/sets.ts'
import { flagOf } from '../data/load.ts'
import type { Options } from '../options.ts'
import type { Row } from '../report.ts'
import { openRushContest, type RushContest } from '../rush/contest.ts'
import { playApart } from '../rush/process.ts'
import { planOf, playOf } from '../rush/script.ts'
import { embeddedDatabasePid } from '../usage.ts'
import { columnsOf, probe } from './probe.ts'
import type { Expected } from './views.ts'

// The same looks while browsers open the site and other teams submit flags.

/** Browsers that arrive in a second: the rush breaks later on two cores. */
const LONG = {
  teams: DATA_SETS.large.teams,
  arrivalsPerS: 40,
  seconds: 25,
  rushers: 8,
  flagEveryMs: 20 * SECOND_MS,
}
const SHORT = { teams: 30, arrivalsPerS: 5, seconds: 4, rushers: 1, flagEveryMs: SECOND_MS }
/** Challenges that only the observed teams solve. */
const RESERVED = 15
/** Solves of each observed team beforehand, so that it is on the first page. */
const SOLVED_BEFORE = 4

export async function measureUnderRush(options: Options): Promise<Row[]> {
  const { teams, arrivalsPerS, seconds, rushers, flagEveryMs } = options.isShort ? SHORT : LONG
  await using rush = await openRushContest(teams)
  const { instance, dataDir } = rush.contest
  await rush.startEvent(Date.now() - MINUTE_MS)
  const solves = await observedSolves(rush, rushers)
  const plan = planOf(rush, { teams, url: instance.url, options })
  const untilMs = seconds * SECOND_MS
  const load = {
    ...plan,
    // The observed teams are the first ones.
    teams: plan.teams.slice(rushers),
    challengeIds: plan.challengeIds.slice(0, -RESERVED),
    browsers: arrivalsPerS * seconds,
    arrivalsPerS,
    play: { ...playOf(), wavesMs: [], untilMs, flagEveryMs },
  }
  const processes = { server: instance.process.pid ?? null, database: embeddedDatabasePid(dataDir) }
  const playing = playApart(load, { processes, proxyPid: null })
  const { url } = instance
  const [played, probed] = await Promise.all([
    playing,
    probe({ submitUrl: url, readUrl: url, solves, isBusy: true }),
  ])
  const { all } = played.result
  const perS = Math.round(all.count / played.result.seconds)
  return [{ 'read at': `same process, rush of ${perS} requests/s`, ...columnsOf(probed) }]
}

/** The solves to observe; the teams get their first ones. */
async function observedSolves({ contest, challengeIds }: RushContest, rushers: number): Promise<Expected[]> {
  const call = createClient({ baseUrl: contest.instance.url })
  const reserved = challengeIds.slice(-RESERVED)
  const all = reserved.flatMap((challengeId) =>
    Array.from({ length: rushers }, (_, team) => ({
      teamId: contest.generated.teamIds[team] ?? '',
      token: contest.tokenOf(team),
      challengeId,
      solves: team + 1,
    })),
  )
  const before = all.slice(0, SOLVED_BEFORE * rushers)
  for (const { token, challengeId: id } of before) {
    const { kind } = await call(submitFlag, { token, params: { id }, body: { flag: flagOf(id) } })
    if (kind !== 'goodFlag') throw new Error(`a right flag was answered with ${kind}`)
  }
  return all.slice(before.length)
}
