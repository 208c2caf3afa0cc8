import { setImmediate } from 'node:timers/promises'
import * as fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allRoutes } from '@pennant/contract/all.ts'
import { getOpenApi } from '@pennant/contract/health.ts'
import { getLeaderboardV2 } from '@pennant/contract/leaderboard.ts'
import type { Route } from '@pennant/contract/route.ts'
import { acceptPages } from '@pennant/contract/pages.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { readOwnProfileV2 } from '@pennant/contract/teams.ts'
import { hmac } from '../pushes.ts'
import { fullDeployment, plainDeployment, type Deployment } from './deployments.ts'
import { populate, visibleFlag, webhookSecret, type Phase, type Population } from './population.ts'
import { requestsFor, type FuzzRequest } from './requests.ts'
import { findLeak, judge, secretsInLog } from './verdict.ts'
import { openWire, type Wire } from './wire.ts'

// Sends malformed requests to every route of the contract; new routes are included automatically.
// PENNANT_FUZZ_RUNS sets the number of requests per route, PENNANT_FUZZ_SEED selects other requests. `npm run check:all` sends 150.

const RUNS = Number(process.env['PENNANT_FUZZ_RUNS'] ?? (process.env['PENNANT_TEST_ALL'] ? 150 : 60))
const SEED = Number(process.env['PENNANT_FUZZ_SEED'] ?? 20_300_502)
/** For the description of the API, a megabyte that is the same for all: checking it stops the server, which shares this process. */
const LARGE_RUNS = Math.min(RUNS, 20)
/** Number of concurrent requests, so that races between them are tested too. */
const TOGETHER = 10
const PHASES: readonly Phase[] = ['during', 'during', 'before', 'after']

const deployments = [
  { name: 'with everything', share: 0.7, deploy: fullDeployment },
  { name: 'with nothing optional', share: 0.3, deploy: plainDeployment },
]

describe.each(deployments)('a deployment $name', ({ deploy, share }) => {
  let deployment: Deployment
  let population: Population
  let wire: Wire

  beforeAll(async () => {
    deployment = await deploy()
    population = await populate(deployment)
    wire = openWire(population.contest.url, TOGETHER)
  })
  afterAll(async () => {
    wire[Symbol.dispose]()
    await population[Symbol.asyncDispose]()
    await deployment[Symbol.asyncDispose]()
  })

  const named = allRoutes.map((route) => [`${route.method} ${route.path}`, route] as const)
  test.each(named)(
    'responds according to the rules at %s',
    { timeout: 60_000 + RUNS * 100 },
    async (_name, route) => {
      const runs = route === getOpenApi ? LARGE_RUNS : RUNS
      await storm(population, wire, { route, runs: Math.ceil(runs * share) })
    },
  )

  test('still works afterwards', async () => {
    const { contest } = population
    await population.renew()
    population.moveTo('during')
    const { call, url } = contest
    const { token } = await contest.team()
    const flag = { params: { id: 'visible' }, body: { flag: visibleFlag } }
    const first = await call(submitFlag, { ...flag, token })
    // An organiser may have published a page that teams must accept.
    if (first.kind === 'badPagesNotAccepted') {
      const { pages } = first.data as unknown as { pages: { slug: string; version: number }[] }
      await call(acceptPages, { token, body: { pages } })
      expect(await call(submitFlag, { ...flag, token })).toMatchObject({ kind: 'goodFlag' })
    } else expect(first).toMatchObject({ kind: 'goodFlag' })
    const own = await call(readOwnProfileV2, { token })
    expect(own).toMatchObject({ data: { perms: 0, banned: false, solves: [{ id: 'visible' }] } })
    const query = { limit: '100', offset: '0' }
    expect(await call(getLeaderboardV2, { query })).toMatchObject({ kind: 'goodLeaderboard' })
    expect(await (await fetch(`${url}/api/readyz`)).text()).toBe('ok')
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  test('logged no secrets and no failures', () => {
    const { contest, secrets } = population
    expect(secretsInLog(contest.logLines, secrets)).toEqual([])
    expect(contest.logLines.filter(({ level }) => level === 'error')).toEqual([])
  })
})

interface Storm {
  readonly route: Route
  readonly runs: number
}

async function storm(population: Population, wire: Wire, { route, runs }: Storm): Promise<void> {
  const { contest, secrets, organisers } = population
  const known = await population.renew()
  const idOf = ({ caller }: FuzzRequest) =>
    caller === 'anonymous' || caller === 'service' ? null : known.members[caller].id

  async function send(request: FuzzRequest) {
    const response = await wire.ask(request.isSigned ? signed(request, contest.clock.now()) : request)
    return { request, response }
  }

  function check({ request, response }: Awaited<ReturnType<typeof send>>): void {
    try {
      judge(route, request, response)
      const leak = findLeak({ route, caller: request.caller, id: idOf(request) }, response.text, secrets)
      if (leak) throw new Error(`shows ${leak.label}: ${response.text.slice(0, 1000)}`)
    } catch (cause) {
      throw new Error(`${describeRequest(request)}\n${(cause as Error).message}`, { cause })
    }
  }

  const requests = fc.array(requestsFor(route, known), { minLength: TOGETHER, maxLength: TOGETHER })
  const property = fc.asyncProperty(fc.constantFrom(...PHASES), requests, async (phase, together) => {
    population.moveTo(phase)
    for (const sent of await Promise.all(together.map(send))) {
      check(sent)
      // The server shares this process: without a turn between the checks, its queries exceed their limits.
      await setImmediate()
    }
  })
  // No shrinking: it would start from the state that the failed requests left behind.
  await fc.assert(property, {
    seed: SEED,
    numRuns: Math.ceil(runs / TOGETHER),
    endOnFailure: true,
    // The default report prints every request of the run in full.
    reporter: ({ failed, seed, errorInstance }) => {
      if (failed)
        throw new Error(`Seed ${seed}: ${(errorInstance as Error).message}`, { cause: errorInstance })
    },
  })
  const raised = await contest.db.query(
    sql`select id from teams where perms <> 0 and id <> all(${organisers})`,
  )
  expect(raised, 'nobody has gained a permission').toEqual([])
}

function signed(request: FuzzRequest, now: number): FuzzRequest {
  const signature = `sha256=${hmac(request.body ?? '', `${now}.`, webhookSecret)}`
  const headers = { ...request.headers, 'x-svc-timestamp': String(now), 'x-svc-signature': signature }
  return { ...request, headers }
}

function describeRequest({ method, path, headers, body, caller }: FuzzRequest): string {
  const text = body === null ? 'no body' : `${body.length} bytes: ${body.toString('latin1').slice(0, 600)}`
  return `${caller}: ${method} ${path.slice(0, 300)}\n${JSON.stringify(headers).slice(0, 800)}\n${text}`
}
