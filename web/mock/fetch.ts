import { HEALTH_PATH, READY_PATH } from '@pennant/contract/health.ts'
import { badEndpoint, errorInternal, errorUnavailable } from '@pennant/contract/replies.ts'
import type { ApiResponse, Route } from '@pennant/contract/route.ts'
import { accountEndpoints } from './answers/accounts.ts'
import { adminBotEndpoints } from './answers/admin-bot.ts'
import { adminChallengeEndpoints } from './answers/admin-challenges.ts'
import { adminTeamEndpoints } from './answers/admin-teams.ts'
import { challengeEndpoints } from './answers/challenges.ts'
import { clientConfigEndpoints } from './answers/client-config.ts'
import { instanceEndpoints } from './answers/instances.ts'
import { leaderboardEndpoints } from './answers/leaderboard.ts'
import { organiserEndpoints } from './answers/organisers.ts'
import { teamEndpoints } from './answers/teams.ts'
import type { MockEndpoint } from './handler.ts'
import { createWorld } from './make-world.ts'
import { run, type Incoming } from './pipeline.ts'
import type { Fault, Scenario } from './scenario.ts'
import type { World } from './world.ts'

/** The routes that the mock implements; any other is `badEndpoint`. */
export const mockEndpoints: readonly MockEndpoint[] = [
  ...clientConfigEndpoints,
  ...accountEndpoints,
  ...teamEndpoints,
  ...challengeEndpoints,
  ...leaderboardEndpoints,
  ...instanceEndpoints,
  ...adminBotEndpoints,
  ...adminChallengeEndpoints,
  ...adminTeamEndpoints,
  ...organiserEndpoints,
]

const RETRY_AFTER_S = 5
// Only used to resolve relative URLs.
const ANY_ORIGIN = 'http://mock.invalid'

/** A `fetch` backed by a contest in memory. Rejects with a `TypeError` to simulate a lost network. */
export function createMockFetch(scenario: Scenario, now?: () => number): typeof fetch {
  const world = createWorld(scenario, now)
  return async (input, init) => {
    const address = input instanceof Request ? input.url : input
    const request = new Request(new URL(address, ANY_ORIGIN), input instanceof Request ? input : init)
    const failure = scenario.faults.find((fault) => request.url.includes(fault.path))?.failure
    await pass(failure === 'never' ? null : scenario.delayMs, request.signal)
    return responseTo(request, world, failure)
  }
}

async function responseTo(request: Request, world: World, failure: Fault['failure'] | undefined) {
  if (failure === 'network') throw new TypeError('Failed to fetch')
  if (failure === 'internal') return responseOf({ answer: errorInternal() }, world)
  if (failure === 'unavailable') return responseOf({ answer: errorUnavailable() }, world)
  const { pathname } = new URL(request.url)
  // Health checks and challenge files, which are not routes of the contract.
  if ([HEALTH_PATH, READY_PATH].includes(pathname) || pathname.startsWith('/uploads/'))
    return new Response('ok', { headers: headersAt(world) })
  const given = await answerTo(request, world)
  if (failure === 'lost') throw new TypeError('Failed to fetch')
  return responseOf(given, world)
}

/** Waits; forever for null. Stops when the request is aborted. */
function pass(ms: number | null, signal: AbortSignal): Promise<void> {
  if (ms === 0) return Promise.resolve()
  return new Promise((resolve, reject) => {
    if (ms !== null) setTimeout(resolve, ms)
    signal.addEventListener('abort', () => reject(signal.reason))
  })
}

interface Given {
  readonly answer: ApiResponse
  /** Undefined if no route has the path. */
  readonly route?: Route
}

async function answerTo(request: Request, world: World): Promise<Given> {
  const { pathname, searchParams } = new URL(request.url)
  for (const endpoint of mockEndpoints) {
    const { route } = endpoint
    if (route.method !== request.method) continue
    const params = paramsIn(route.path, pathname)
    if (!params) continue
    const incoming: Incoming = {
      params,
      query: Object.fromEntries(searchParams),
      authorization: request.headers.get('authorization'),
      body: route.form ? '' : await request.text(),
      form: route.form && request.body ? await request.formData() : null,
    }
    return { route, answer: run(endpoint, world, incoming) }
  }
  return { answer: badEndpoint() }
}

/** The parameters of a path, or null if it does not match the pattern. */
function paramsIn(pattern: string, pathname: string): Record<string, string> | null {
  const wanted = pattern.split('/')
  const given = pathname.split('/')
  if (wanted.length !== given.length) return null
  const params: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const text = given[index] ?? ''
    if (!part.startsWith(':')) {
      if (part !== text) return null
    } else if (text === '') return null
    else params[part.slice(1)] = decodeURIComponent(text)
  }
  return params
}

function responseOf({ answer, route }: Given, world: World): Response {
  const { kind, status, message } = answer.reply
  const headers = headersAt(world)
  if (status === 503) headers['retry-after'] = String(RETRY_AFTER_S)
  const isBare = route?.unwrapped === true && status === 200
  const body = isBare ? answer.data : { kind, message, data: answer.data }
  return new Response(JSON.stringify(body), { status, headers })
}

function headersAt(world: World): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8',
    date: new Date(world.now()).toUTCString(),
  }
}
