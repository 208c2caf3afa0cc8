import { registerV2 } from '@pennant/contract/accounts.ts'
import { putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { createClient, type Client } from '@pennant/contract/client.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import type { Instance } from '../lib/instance.ts'

export interface Pair {
  readonly token: string
  readonly challengeId: string
}

export interface Filled {
  /** Auth token of a participating team. */
  readonly token: string
  /** Pairs of a team and a challenge that it has not solved, each with a full rate limit bucket. */
  readonly openPairs: readonly Pair[]
}

const TEAMS = 50
const CHALLENGES = 20
const SOLVES = 300
/** Extra teams that only submit, so that the write test runs long enough to be measured. */
const WRITERS = 400

/** The small data set: teams, challenges and solves, all created through the API. */
export async function fillContest(
  { url, createAdmin }: Instance,
  { teams = TEAMS, writers: writerCount = WRITERS } = {},
): Promise<Filled> {
  const call = createClient({ baseUrl: url })
  const { authToken } = await createAdmin('bench')
  const challengeIds = Array.from({ length: CHALLENGES }, (_, at) => `bench-${at}`)
  for (const id of challengeIds) await putChallenge(call, authToken, id)
  const tokens = await register(call, teams)
  const pairs = tokens.flatMap((token) => challengeIds.map((challengeId) => ({ token, challengeId })))
  // Distributes solves over teams and challenges: 7 is coprime to the product of their counts.
  const solved = Array.from({ length: SOLVES }, (_, at) => pairs[(at * 7) % pairs.length]).filter(
    (pair) => pair !== undefined,
  )
  await inGroups(solved, ({ token, challengeId }) => solve(call, token, challengeId))
  const writers = await register(call, writerCount)
  const openPairs = writers.flatMap((token) => challengeIds.map((challengeId) => ({ token, challengeId })))
  return { token: tokens[0] ?? '', openPairs }
}

async function putChallenge(call: Client, token: string, id: string): Promise<void> {
  const data = {
    name: `Challenge ${id}`,
    category: 'misc',
    author: 'bench',
    description: `A description of usual length. ${'Lorem ipsum dolor sit amet. '.repeat(15)}`,
    flags: [{ provider: 'flags/static', config: { flag: `flag{${id}}` } }],
    points: { min: 100, max: 500 },
  }
  const saved = await call(putChallengeV2, { token, params: { id }, body: { data } })
  if (saved.kind !== 'goodChallengeUpdateV2') throw new Error(saved.kind)
}

let registered = 0

async function register(call: Client, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, () => `Team ${++registered}`)
  return await inGroups(names, async (name) => {
    const email = `${name.replace(' ', '-').toLowerCase()}@bench.example`
    const made = await call(registerV2, { body: { name, email } })
    if (made.kind !== 'goodRegisterV2') throw new Error(made.kind)
    return made.data.authToken
  })
}

async function solve(call: Client, token: string, id: string): Promise<void> {
  const response = await call(submitFlag, { token, params: { id }, body: { flag: `flag{${id}}` } })
  if (response.kind !== 'goodFlag') throw new Error(response.kind)
}

const GROUP = 32

async function inGroups<In, Out>(items: readonly In[], work: (item: In) => Promise<Out>): Promise<Out[]> {
  const results: Out[] = []
  for (let at = 0; at < items.length; at += GROUP) {
    results.push(...(await Promise.all(items.slice(at, at + GROUP).map(work))))
  }
  return results
}
