import { openConnection } from '../generator/connection.ts'
import { requestBytes, type RequestSpec } from '../generator/plan.ts'
import { SECOND_MS } from '@pennant/contract/durations.ts'
import { flagOf } from '../data/load.ts'
import type { RushPlan, RushTeam, ScriptRequest, ScriptStep, StepName } from './plan.ts'

// One browser: a keep-alive connection on which its requests follow each other.

/** A browser that is refused this often gives up. */
const MAX_REFUSALS = 20
const RETRY_DEFAULT_S = 1
/** So that browsers that were refused together do not return together, as on the site. */
const RETRY_SPREAD = 0.2
/** Addresses of this machine that connections start from. */
const LOCAL_ADDRESSES = 8
const SUCCESS = /^[23]/
/** `badFlag`. */
const WRONG_FLAG = /^40[01]/

export interface Outcome {
  readonly step: StepName
  readonly ms: number
  /** Null if the request succeeded. */
  readonly failure: string | null
}

export interface Listener {
  ended(outcome: Outcome): void
  refused(step: StepName): void
}

export interface Browser {
  readonly team: RushTeam
  /** Plays a step that was due at this time; resolves after its last request. */
  play(step: ScriptStep, play: PlayedStep): Promise<void>
  close(): void
}

export interface PlayedStep {
  /** In the time of `performance.now()`. */
  readonly dueAt: number
  readonly challengeId: string
}

interface Sender {
  /** Of the browser. */
  readonly number: number
  readonly step: StepName
  readonly challengeId: string
}

/** The request as this browser sends it. */
export function specOf(
  plan: RushPlan,
  { method, path, isAsTeam }: ScriptRequest,
  { number, step, challengeId }: Sender,
): RequestSpec {
  const team = teamOf(plan, number)
  const file = plan.files[number % plan.files.length] ?? '/'
  const filled = path.replace(':file', file).replace(':challenge', challengeId).replace(':team', team.id)
  const headers: Record<string, string> = {
    'accept-encoding': plan.encoding,
    'x-forwarded-for': team.address,
    ...(isAsTeam && { authorization: `Bearer ${team.token}` }),
  }
  if (method === 'GET') return { method, path: filled, headers }
  const flag = step === 'right flag' ? flagOf(challengeId) : `flag{wrong ${number}}`
  const body = JSON.stringify(step === 'sign in' ? { teamToken: team.loginToken } : { flag })
  return { method, path: filled, headers, body }
}

function teamOf({ teams }: RushPlan, number: number): RushTeam {
  const team = teams[number % teams.length]
  if (!team) throw new Error('a rush needs teams')
  return team
}

export function openBrowser(plan: RushPlan, number: number, listener: Listener): Browser {
  const url = new URL(plan.url)
  const team = teamOf(plan, number)
  const localAddress = `127.0.0.${2 + (number % LOCAL_ADDRESSES)}`
  let answer: ((status: string | null, head: string) => void) | null = null
  const connection = openConnection(
    url,
    { onResponse: (status, head) => answer?.(status, head), onBroken: () => answer?.(null, '') },
    localAddress,
  )
  const exchange = (bytes: Buffer) =>
    new Promise<{ status: string | null; head: string }>((resolve) => {
      answer = (status, head) => resolve({ status, head })
      connection.send(bytes)
    })

  /** Returns what went wrong, or null. Repeats a request that was refused when the response says so. */
  async function request(bytes: Buffer, step: StepName): Promise<string | null> {
    const expected = step === 'wrong flag' ? WRONG_FLAG : SUCCESS
    for (let refusals = 0; refusals < MAX_REFUSALS; refusals += 1) {
      const { status, head } = await exchange(bytes)
      if (status === null) return 'connection broke'
      if (status !== '503') return expected.test(status) ? null : `status ${status}`
      listener.refused(step)
      const afterS = Number(/\r\nretry-after: *(\d+)/i.exec(head)?.[1] ?? RETRY_DEFAULT_S)
      await waitMs(afterS * SECOND_MS * (1 + RETRY_SPREAD * Math.random()))
    }
    return 'refused too often'
  }

  return {
    team,
    async play({ name, requests }, { dueAt, challengeId }) {
      let from = dueAt
      for (const each of requests) {
        const spec = specOf(plan, each, { number, step: name, challengeId })
        const failure = await request(requestBytes(spec, url.host), name)
        const now = performance.now()
        listener.ended({ step: name, ms: now - from, failure })
        from = now
      }
    },
    close: () => connection.close(),
  }
}

export const waitMs = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)))
