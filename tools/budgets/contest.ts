import { createClient } from '@pennant/contract/client.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { flagOf } from '../seed/large/load.ts'
import { rankedSet } from '../seed/large/sets.ts'
import { openContest } from '../lib/large-contest.ts'

const CHALLENGES = 120
const TEAMS = 10_000
/** The viewer's team is in the middle and solves half of the challenges. */
const OWN = TEAMS / 2 - 10
const HOME = `# Welcome\n\n${'A contest for everyone, from the first steps to the last bit. '.repeat(12)}`

export interface LargeContest extends AsyncDisposable {
  readonly url: string
  /** Token of a team in the middle of the leaderboard. */
  readonly token: string
  /** Solves one more challenge as the viewer's team. Returns false when none is left. */
  solveNext(): Promise<boolean>
}

/** Starts a server with the large data set: 10,000 teams, 120 challenges, 600,000 solves. */
export async function openLargeContest(): Promise<LargeContest> {
  const contest = await openContest(rankedSet(TEAMS, CHALLENGES), {
    env: { PENNANT_CTF_NAME: 'Budget CTF', PENNANT_HOME_CONTENT: HOME, LOG_LEVEL: 'error' },
  })
  const { instance, generated } = contest
  const token = contest.tokenOf(OWN)
  const call = createClient({ baseUrl: instance.url })
  const left = generated.challengeIds.filter((_, challenge) => !generated.hasSolved(OWN, challenge))
  return {
    url: instance.url,
    token,
    async solveNext() {
      const id = left.shift()
      if (id === undefined) return false
      const response = await call(submitFlag, { token, params: { id }, body: { flag: flagOf(id) } })
      if (response.kind !== 'goodFlag') throw new Error(response.kind)
      return true
    },
    [Symbol.asyncDispose]: () => contest[Symbol.asyncDispose](),
  }
}
