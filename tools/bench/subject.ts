import { readFileSync } from 'node:fs'
import { listChallengesV2 } from '@pennant/contract/challenges.ts'
import { createClient } from '@pennant/contract/client.ts'
import { openContest, type Contest, type Pair } from '../lib/large-contest.ts'
import { flagOf } from '../seed/large/load.ts'
import { DATA_SETS, type DataSetName } from '../seed/large/sets.ts'
import type { Against } from './options.ts'
import { embeddedDatabasePid, type Processes } from './usage.ts'

/** The server that is measured: one of this checkout with generated data, or another one. */
export interface Subject extends AsyncDisposable {
  readonly url: string
  readonly title: string
  readonly processes: Processes
  /** Where the limit of commits is measured; null for another server. */
  readonly databaseUrl: string | null
  /** Auth tokens of all teams whose reads are measured, in turn. */
  readonly tokens: readonly string[]
  /** Team tokens to sign in with. */
  readonly loginTokens: readonly string[]
  readonly challengeIds: readonly string[]
  /** Null if the right flags are not known. */
  readonly flagOf: ((challengeId: string) => string) | null
  /** Takes pairs of teams and challenges that are not solved, each once; fewer if there are no more. */
  takePairs(count: number): Pair[]
}

/** Teams that sign in. */
const SIGN_INS = 500

export async function openSubject(data: DataSetName, against: Against | null): Promise<Subject> {
  if (against) return await openOther(against)
  const contest = await openContest(DATA_SETS[data])
  return ownSubject(contest)
}

function ownSubject(contest: Contest): Subject {
  const { instance, dataDir, databaseUrl, generated, readyS, loadS } = contest
  const { set } = generated
  const readers = Array.from({ length: set.teams }, (_, n) => n)
  return {
    url: instance.url,
    title:
      `${set.name}: ${set.teams + set.writers} teams, ${set.challenges} challenges, ${set.solves} solves; ` +
      `loaded in ${loadS.toFixed(1)} s, ready ${readyS.toFixed(1)} s after the start`,
    processes: { server: instance.process.pid ?? null, database: embeddedDatabasePid(dataDir) },
    databaseUrl,
    tokens: readers.map(contest.tokenOf),
    loginTokens: readers.slice(0, SIGN_INS).map(contest.loginTokenOf),
    challengeIds: generated.challengeIds,
    flagOf,
    takePairs: contest.takePairs,
    [Symbol.asyncDispose]: () => contest[Symbol.asyncDispose](),
  }
}

async function openOther({ url, tokens, flags, serverPid, databasePid }: Against): Promise<Subject> {
  const authTokens = readLines(tokens)
  const [token] = authTokens
  if (token === undefined) throw new Error('--tokens: the file has no token.')
  const listed = await createClient({ baseUrl: url })(listChallengesV2, { token })
  if (listed.kind !== 'goodChallenges') throw new Error(`${url} does not list its challenges: ${listed.kind}`)
  const challengeIds = listed.data.map(({ id }) => id)
  const known = flags === null ? null : (JSON.parse(readFileSync(flags, 'utf8')) as Record<string, string>)
  const playable = known ? challengeIds.filter((id) => known[id] !== undefined) : challengeIds
  const pairs = authTokens.flatMap((each) => playable.map((challengeId) => ({ token: each, challengeId })))
  return {
    url,
    title: `${url}: ${authTokens.length} teams of the bench, ${challengeIds.length} challenges`,
    processes: { server: serverPid, database: databasePid },
    databaseUrl: null,
    tokens: authTokens,
    loginTokens: [],
    challengeIds,
    flagOf: known && ((id) => known[id] ?? ''),
    takePairs: (count) => pairs.splice(0, count),
    async [Symbol.asyncDispose]() {},
  }
}

function readLines(file: string): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
}
