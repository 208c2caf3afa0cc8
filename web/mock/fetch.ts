import { badEndpoint, errorInternal, errorUnavailable } from '@pennant/contract/replies.ts'
import type { Answer } from '@pennant/contract/route.ts'
import { challengeEndpoints } from './challenges.ts'
import { clientConfigEndpoints } from './client-config.ts'
import type { MockEndpoint } from './handler.ts'
import { run, type Incoming } from './pipeline.ts'
import type { Scenario } from './scenario.ts'
import { createWorld, type World } from './world.ts'

/** What the mock answers; any other route is `badEndpoint`. */
export const mockEndpoints: readonly MockEndpoint[] = [...clientConfigEndpoints, ...challengeEndpoints]

const RETRY_AFTER_S = 5
// Only to make relative addresses whole.
const ANY_ORIGIN = 'http://mock.invalid'

/** A `fetch` that is answered by a contest in memory. Rejects with a `TypeError` when the network is to be lost. */
export function createMockFetch(scenario: Scenario): typeof fetch {
  const world = createWorld(scenario)
  return async (input, init) => {
    const address = input instanceof Request ? input.url : input
    const request = new Request(new URL(address, ANY_ORIGIN), input instanceof Request ? input : init)
    const failure = scenario.faults.find((fault) => request.url.includes(fault.path))?.failure
    if (failure === 'network') throw new TypeError('Failed to fetch')
    if (failure === 'internal') return responseOf(errorInternal(), world)
    if (failure === 'unavailable') return responseOf(errorUnavailable(), world)
    const answer = await answerTo(request, world)
    if (failure === 'lost') throw new TypeError('Failed to fetch')
    return responseOf(answer, world)
  }
}

async function answerTo(request: Request, world: World): Promise<Answer> {
  const { pathname, searchParams } = new URL(request.url)
  for (const endpoint of mockEndpoints) {
    if (endpoint.route.method !== request.method) continue
    const params = paramsIn(endpoint.route.path, pathname)
    if (!params) continue
    const incoming: Incoming = {
      params,
      query: Object.fromEntries(searchParams),
      authorization: request.headers.get('authorization'),
      body: await request.text(),
    }
    return run(endpoint, world, incoming)
  }
  return badEndpoint()
}

/** The parameters of a path, or null when it is another route's. */
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

function responseOf({ reply, data }: Answer, world: World): Response {
  const { kind, status, message } = reply
  const headers: Record<string, string> = {
    'content-type': 'application/json; charset=utf-8',
    date: new Date(world.now()).toUTCString(),
  }
  if (status === 503) headers['retry-after'] = String(RETRY_AFTER_S)
  return new Response(JSON.stringify({ kind, message, data }), { status, headers })
}
