import { HEALTH_PATH, READY_PATH } from '@pennant/contract/health.ts'
import { badEndpoint, errorInternal, errorUnavailable } from '@pennant/contract/replies.ts'
import type { ApiResponse, Route } from '@pennant/contract/route.ts'
import { accountEndpoints } from './endpoints/accounts.ts'
import { adjustmentEndpoints } from './endpoints/adjustments.ts'
import { actionEndpoints } from './endpoints/actions.ts'
import { adminBotEndpoints } from './endpoints/admin-bot.ts'
import { adminChallengeEndpoints } from './endpoints/admin-challenges.ts'
import { challengeArchiveEndpoints } from './endpoints/challenge-archive.ts'
import { contestImportEndpoints } from './endpoints/contest-import.ts'
import { adminTeamEndpoints } from './endpoints/admin-teams.ts'
import { announcementEndpoints } from './endpoints/announcements.ts'
import { messageEndpoints } from './endpoints/messages.ts'
import { challengeEndpoints } from './endpoints/challenges.ts'
import { clientConfigEndpoints } from './endpoints/client-config.ts'
import { hintEndpoints } from './endpoints/hints.ts'
import { instanceEndpoints } from './endpoints/instances.ts'
import { leaderboardEndpoints } from './endpoints/leaderboard.ts'
import { organiserEndpoints } from './endpoints/organisers.ts'
import { replayEndpoints } from './endpoints/replay.ts'
import { statisticsEndpoints } from './endpoints/statistics.ts'
import { statusEndpoints } from './endpoints/status.ts'
import { teamEndpoints } from './endpoints/teams.ts'
import { waveEndpoints } from './endpoints/waves.ts'
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
  ...announcementEndpoints,
  ...adjustmentEndpoints,
  ...hintEndpoints,
  ...messageEndpoints,
  ...leaderboardEndpoints,
  ...replayEndpoints,
  ...instanceEndpoints,
  ...adminBotEndpoints,
  ...adminChallengeEndpoints,
  ...challengeArchiveEndpoints,
  ...contestImportEndpoints,
  ...waveEndpoints,
  ...adminTeamEndpoints,
  ...organiserEndpoints,
  ...actionEndpoints,
  ...statusEndpoints,
  ...statisticsEndpoints,
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
  if (failure === 'internal') return responseOf({ response: errorInternal() }, world)
  if (failure === 'unavailable') return responseOf({ response: errorUnavailable() }, world)
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
  readonly response: ApiResponse
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
    return { route, response: run(endpoint, world, incoming) }
  }
  return { response: badEndpoint() }
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

function responseOf({ response, route }: Given, world: World): Response {
  const { kind, status, message } = response.reply
  const headers = headersAt(world)
  if (status === 503) headers['retry-after'] = String(RETRY_AFTER_S)
  if (route?.file !== undefined && status === 200)
    return new Response('', { headers: { ...headers, 'content-type': route.file } })
  if (route?.text && status === 200) {
    return new Response(String(response.data), { headers: { ...headers, 'content-type': route.text.type } })
  }
  const isBare = route?.unwrapped === true && status === 200
  const body = isBare ? response.data : { kind, message, data: response.data }
  return new Response(JSON.stringify(body), { status, headers })
}

function headersAt(world: World): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8',
    date: new Date(world.now()).toUTCString(),
  }
}
