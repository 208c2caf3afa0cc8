import { listChallengesV2, listSolvesV2 } from '@pennant/contract/challenges.ts'
import { createClient } from '@pennant/contract/client.ts'
import { getClientConfigV2 } from '@pennant/contract/client-config.ts'
import type { Route } from '@pennant/contract/route.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { describe, expect, it } from 'vitest'
import { createMockFetch } from './fetch.ts'
import { usualNow, usualScenario, type Phase, type Scenario } from './scenario.ts'
import { tokenOf } from './world.ts'

const IMPLIED = new Set(['badJson', 'badBody', 'badToken', 'badPerms', 'badEnded', 'badNotStarted'])
const token = tokenOf('team-player')
const params = { id: 'tide-table' }
const right = { flag: 'flag{the_moon_is_a_weak_key}' }
const query = { limit: '10', offset: '0' }

/** Each answer must be one of the route's own replies, with its data and no field more. */
function checkShape(route: Route, response: Response, body: unknown) {
  const { kind, data } = body as { kind: string; data?: unknown }
  const reply = route.replies.find((entry) => entry.kind === kind)
  if (!reply) return expect(IMPLIED.has(kind) || kind.startsWith('error'), kind).toBe(true)
  expect(response.status).toBe(reply.status)
  // Parsing drops fields that the contract does not know: the comparison finds them.
  const schema = reply.data
  if (!schema) return expect(data).toBeUndefined()
  expect(schema.parse(data)).toEqual(data)
}

function open(changes: Partial<Scenario> = {}) {
  const fetch = createMockFetch({ ...usualScenario, ...changes })
  return createClient({ baseUrl: '', fetch, onAnswer: checkShape })
}

describe('the mock', () => {
  it.each<[Phase, string, string]>([
    ['before', 'badNotStarted', 'badNotStarted'],
    ['opening', 'badNotStarted', 'badNotStarted'],
    ['running', 'goodChallenges', 'goodFlag'],
    ['ended', 'goodChallenges', 'badEnded'],
    ['archived', 'goodChallenges', 'badEnded'],
  ])('is gated %s the way the contract says', async (phase, listed, submitted) => {
    const call = open({ phase })
    expect((await call(listChallengesV2, { token })).kind).toBe(listed)
    expect((await call(submitFlag, { token, params, body: right })).kind).toBe(submitted)
    expect((await call(getClientConfigV2, {})).data).toMatchObject({ isArchived: phase === 'archived' })
  })

  it('keeps a solve, shows it in the list and refuses a second one', async () => {
    const call = open()
    await call(submitFlag, { token, params, body: right })
    expect((await call(submitFlag, { token, params, body: right })).kind).toBe('badAlreadySolvedChallenge')
    const { data } = await call(listSolvesV2, { token, params, query })
    expect(data).toMatchObject({
      mySolvePosition: 2,
      solves: [{ bloodIndex: 0 }, { userId: 'team-player', createdAt: usualNow, bloodIndex: 1 }],
    })
  })

  it('holds back the sixth attempt and tells for how long', async () => {
    const call = open()
    const wrong = { token, params, body: { flag: 'no' } }
    for (let count = 0; count < 5; count++) expect((await call(submitFlag, wrong)).kind).toBe('badFlag')
    expect(await call(submitFlag, wrong)).toMatchObject({ kind: 'badRateLimit', data: { timeLeft: 5_000 } })
    const other = { token, params: { id: 'lighthouse' }, body: { flag: 'no' } }
    expect((await call(submitFlag, other)).kind).toBe('badFlag')
  })

  it('refuses strangers, banned teams, unknown challenges and pages that are too large', async () => {
    const call = open()
    expect((await call(submitFlag, { params, body: right })).kind).toBe('badToken')
    const banned = { token: tokenOf('team-banned'), params, body: right }
    expect((await call(submitFlag, banned)).kind).toBe('badPerms')
    expect((await call(listSolvesV2, { params: { id: 'none' }, query })).kind).toBe('badChallenge')
    const large = await call(listSolvesV2, { params, query: { limit: '101', offset: '0' } })
    expect(large).toMatchObject({ kind: 'badBody', data: { reason: 'query:limit: must be at most 100' } })
  })

  it('lets an organiser see the challenges before the start', async () => {
    const call = open({ phase: 'before' })
    expect((await call(listChallengesV2, { token: tokenOf('team-admin') })).kind).toBe('goodChallenges')
  })

  it('does the work of a request whose answer is lost', async () => {
    const faults: Scenario['faults'][number][] = [{ path: '/submit', failure: 'lost' }]
    const call = open({ faults })
    await expect(call(submitFlag, { token, params, body: right })).rejects.toThrow(TypeError)
    expect((await call(listSolvesV2, { token, params, query })).data).toMatchObject({ mySolvePosition: 2 })
  })

  it('is away with a time to come back, and tells the frozen time', async () => {
    const fetch = createMockFetch({ ...usualScenario, faults: [{ path: '/challs', failure: 'unavailable' }] })
    const away = await fetch('/api/v2/challs')
    expect([away.status, away.headers.get('retry-after')]).toEqual([503, '5'])
    expect(Date.parse(away.headers.get('date') ?? '')).toBe(usualNow)
    expect((await fetch('/api/v2/nowhere')).status).toBe(404)
  })
})
