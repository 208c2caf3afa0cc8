import { createClient } from '@pennant/contract/client.ts'
import { getLeaderboardChallenges, getLeaderboardV2 } from '@pennant/contract/leaderboard.ts'
import { openContest, type Contest, type ContestOptions } from '../../lib/large-contest.ts'
import { DATA_SETS } from '../../seed/large/sets.ts'
import { probe } from '../freshness/probe.ts'
import type { Expected } from '../freshness/views.ts'
import type { Options } from '../options.ts'
import { progress, type Row, type Section } from '../report.ts'

// From the response to a right flag until every view shows the solve, and whether they agree.

const SOLVES = 60
const SHORT_SOLVES = 3

export async function freshnessScenario(options: Options): Promise<Section[]> {
  const count = options.isShort ? SHORT_SOLVES : SOLVES
  const rows: Row[] = []
  {
    await using contest = await open(options)
    const { url } = contest.instance
    const taker = await createTaker(contest)
    rows.push(await measure('same process', { submitUrl: url, readUrl: url, solves: await taker(count) }))
    {
      await using replica = await contest.startReplica()
      // Each takes up to the second in which it polls.
      const solves = await taker(Math.ceil(count / 3))
      rows.push(await measure('replica without Redis', { submitUrl: url, readUrl: replica.url, solves }))
    }
  }
  // A short run only shows that everything works; each server takes seconds to start.
  if (!options.isShort) rows.push(...(await measureOthers(options, count)))
  const notes = options.redisUrl === null ? ['With --redis URL also through Redis.'] : []
  return [{ title: `Freshness, ${options.data}: from a right flag until everything shows it`, rows, notes }]
}

/** Two processes of one server, and a replica that Redis wakes. */
async function measureOthers(options: Options, count: number): Promise<Row[]> {
  const rows: Row[] = []
  {
    await using contest = await open(options, { serveArgs: ['--processes', '2'] })
    const { url } = contest.instance
    const solves = await (await createTaker(contest))(count)
    rows.push(await measure('two processes of one server', { submitUrl: url, readUrl: url, solves }))
  }
  const { redisUrl } = options
  if (redisUrl !== null) {
    const env = { REDIS_URL: redisUrl }
    await using contest = await open(options, { env })
    await using replica = await contest.startReplica(env)
    const solves = await (await createTaker(contest))(count)
    const { url } = contest.instance
    rows.push(await measure('replica with Redis', { submitUrl: url, readUrl: replica.url, solves }))
  }
  return rows
}

const open = ({ data }: Options, more: ContestOptions = {}): Promise<Contest> =>
  openContest(DATA_SETS[data], more)

type Where = Parameters<typeof probe>[0]

async function measure(name: string, where: Where): Promise<Row> {
  return progress({ 'read at': name, ...(await probe(where)) })
}

/** Takes solves of teams on the first page of the scoreboard, each once. */
async function createTaker(contest: Contest): Promise<(count: number) => Promise<Expected[]>> {
  const call = createClient({ baseUrl: contest.instance.url })
  const page = await call(getLeaderboardV2, { query: { limit: '100', offset: '0' } })
  if (page.kind !== 'goodLeaderboard') throw new Error(`the scoreboard cannot be read: ${page.kind}`)
  const { generated, tokenOf } = contest
  const teams = page.data.leaderboard
    .map(({ id }) => generated.teamIds.indexOf(id))
    .filter((team) => team >= 0)
  const left = generated.challengeIds.flatMap((challengeId, challenge) =>
    teams.filter((team) => !generated.hasSolved(team, challenge)).map((team) => ({ team, challengeId })),
  )
  // Not one challenge after the other: most have had solvers before.
  const order = left.toSorted((one, other) => hashOf(one) - hashOf(other))
  return async (count) => {
    const overview = await call(getLeaderboardChallenges, {})
    if (overview.kind !== 'goodLeaderboardChallenges') throw new Error(`no overview: ${overview.kind}`)
    const solves = new Map(Object.entries(overview.data.challenges).map(([id, { solves: n }]) => [id, n]))
    return order.splice(0, count).map(({ team, challengeId }) => {
      const known = (solves.get(challengeId) ?? 0) + 1
      solves.set(challengeId, known)
      return { teamId: generated.teamIds[team] ?? '', token: tokenOf(team), challengeId, solves: known }
    })
  }
}

function hashOf({ team, challengeId }: { readonly team: number; readonly challengeId: string }): number {
  const number = Number(challengeId.replaceAll(/\D/g, ''))
  return (team * 7919 + number * 104_729) % 65_537
}
