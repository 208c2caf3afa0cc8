import { login, registerV2 } from '@pennant/contract/accounts.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import type { Pair } from '../../lib/large-contest.ts'
import { addressOf } from '../../seed/large/load.ts'
import type { RequestSpec } from '../generator/plan.ts'
import { commitLimits, type CommitLimits } from '../limits/commits.ts'
import { measure, rowOf, type Result } from '../measure.ts'
import type { Options } from '../options.ts'
import type { Row, Section } from '../report.ts'
import type { Subject } from '../subject.ts'

/** More than a server accepts in a second. */
const MAX_PER_S = 6000
/** A pair may be submitted this often before its rate limit refuses. */
const WRONG_PER_PAIR = 3
/** Requests that only compile the code; their figures are not shown. */
const WARM_UP = 200

/** Flags, sign-ins and registrations, beside PostgreSQL's commits of the same rows. */
export async function writeScenario(subject: Subject, options: Options): Promise<Section> {
  const { flagOf, loginTokens, databaseUrl, processes, url } = subject
  const count = Math.ceil(options.seconds * MAX_PER_S)
  const limits = databaseUrl === null ? null : await commitLimits(databaseUrl, options.seconds)
  const once = (requests: readonly RequestSpec[]) =>
    measure({ url, requests, isOnce: true }, options, processes)
  await once(wrongFlags(subject.takePairs(WARM_UP)))
  if (flagOf) await once(rightFlags(subject.takePairs(WARM_UP), flagOf))

  const rows: Row[] = []
  const pairs = subject.takePairs(Math.ceil(count / WRONG_PER_PAIR))
  const wrong = await once(Array.from({ length: WRONG_PER_PAIR }, () => wrongFlags(pairs)).flat())
  rows.push({ ...rowOf('wrong flag', wrong, WRONG_STATUS), ...limitOf(limits, 'wrong', wrong) })
  if (flagOf) {
    const right = await once(rightFlags(subject.takePairs(count), flagOf))
    rows.push({ ...rowOf('right flag', right), ...limitOf(limits, 'right', right) })
  }
  if (loginTokens.length > 0) {
    const requests = loginTokens.map((teamToken, team) => {
      const spec = post(login.path, { teamToken })
      // Sign-ins are limited by address.
      return { ...spec, headers: { 'x-forwarded-for': addressOf(team) } }
    })
    rows.push(rowOf('sign-in', await measure({ url, requests }, options, processes)))
  }
  if (databaseUrl !== null) {
    const registered = await once(registrations(count))
    rows.push({ ...rowOf('registration', registered), ...limitOf(limits, 'single', registered) })
  }
  return { title: `Writes, ${subject.title}`, rows }
}

/** `badFlag`. */
const WRONG_STATUS = /^(2|400|401)/

function limitOf(
  limits: CommitLimits | null,
  name: 'wrong' | 'right' | 'single',
  { perSecond }: Result,
): Row {
  if (!limits) return {}
  return { 'commits per s': Math.round(limits[name]), ratio: perSecond / limits[name] }
}

function post(path: string, body: unknown, token?: string): RequestSpec {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return { method: 'POST', path, headers, body: JSON.stringify(body) }
}

function flagRequests(pairs: readonly Pair[], flagAt: (pair: Pair, n: number) => string): RequestSpec[] {
  return pairs.map((pair, n) =>
    post(submitFlag.path.replace(':id', pair.challengeId), { flag: flagAt(pair, n) }, pair.token),
  )
}

function wrongFlags(pairs: readonly Pair[]): RequestSpec[] {
  return flagRequests(pairs, (_, n) => `flag{wrong ${n}}`)
}

export function rightFlags(pairs: readonly Pair[], flagOf: (challengeId: string) => string): RequestSpec[] {
  return flagRequests(pairs, ({ challengeId }) => flagOf(challengeId))
}

let registered = 0

function registrations(count: number): RequestSpec[] {
  return Array.from({ length: count }, () => {
    registered += 1
    const name = `New team ${registered}`
    return post(registerV2.path, { name, email: `new-${registered}@bench.example` })
  })
}
