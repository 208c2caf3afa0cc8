import { listChallengesV2, listSolvesV2 } from '@pennant/contract/challenges.ts'
import { createClient } from '@pennant/contract/client.ts'
import { getClientConfigV2 } from '@pennant/contract/client-config.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { describe, expect, it } from 'vitest'
import { checkShape } from './check-shape.ts'
import { createMockFetch } from './fetch.ts'
import { usualNow, usualScenario, type Phase, type Scenario } from './scenario.ts'
import { tokenOf } from './world.ts'

const token = tokenOf('team-player')
const params = { id: 'tide-table' }
const right = { flag: 'flag{the_moon_is_a_weak_key}' }
const query = { limit: '100', offset: '0' }

function open(changes: Partial<Scenario> = {}) {
  const fetch = createMockFetch({ ...usualScenario, ...changes })
  return createClient({ baseUrl: '', fetch, onResponse: checkShape })
}

describe('the mock', () => {
  it.each<[Phase, string, string]>([
    ['before', 'badNotStarted', 'badNotStarted'],
    ['opening', 'badNotStarted', 'badNotStarted'],
    ['running', 'goodChallenges', 'goodFlag'],
    ['ended', 'goodChallenges', 'badEnded'],
    ['archived', 'goodChallenges', 'badEnded'],
  ])('gates the %s phase as the contract specifies', async (phase, listed, submitted) => {
    const call = open({ phase })
    expect((await call(listChallengesV2, { token })).kind).toBe(listed)
    expect((await call(submitFlag, { token, params, body: right })).kind).toBe(submitted)
    expect((await call(getClientConfigV2, {})).data).toMatchObject({ isArchived: phase === 'archived' })
  })

  it('stores a solve, lists it and refuses a second one', async () => {
    const call = open()
    await call(submitFlag, { token, params, body: right })
    expect((await call(submitFlag, { token, params, body: right })).kind).toBe('badAlreadySolvedChallenge')
    const { data } = await call(listSolvesV2, { token, params, query })
    const { solves, mySolvePosition } = data as { solves: unknown[]; mySolvePosition?: number }
    expect(mySolvePosition).toBe(solves.length)
    expect(solves[0]).toMatchObject({ bloodIndex: 0 })
    expect(solves.at(-1)).toMatchObject({ userId: 'team-player', createdAt: usualNow, bloodIndex: null })
  })

  it('rate-limits the sixth attempt and returns the remaining time', async () => {
    const call = open()
    const wrong = { token, params, body: { flag: 'no' } }
    for (let count = 0; count < 5; count++) expect((await call(submitFlag, wrong)).kind).toBe('badFlag')
    expect(await call(submitFlag, wrong)).toMatchObject({ kind: 'badRateLimit', data: { timeLeft: 5_000 } })
    const other = { token, params: { id: 'lighthouse' }, body: { flag: 'no' } }
    expect((await call(submitFlag, other)).kind).toBe('badFlag')
  })

  it('refuses missing tokens, banned teams, unknown challenges and limits that are too large', async () => {
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

  it('handles a request whose response is lost', async () => {
    const faults: Scenario['faults'][number][] = [{ path: '/submit', failure: 'lost' }]
    const call = open({ faults })
    await expect(call(submitFlag, { token, params, body: right })).rejects.toThrow(TypeError)
    expect((await call(listSolvesV2, { token, params, query })).data).toMatchObject({
      mySolvePosition: expect.any(Number),
    })
  })

  it('simulates an outage with Retry-After, and sends the frozen time as Date', async () => {
    const fetch = createMockFetch({ ...usualScenario, faults: [{ path: '/challs', failure: 'unavailable' }] })
    const away = await fetch('/api/v2/challs')
    expect([away.status, away.headers.get('retry-after')]).toEqual([503, '5'])
    expect(Date.parse(away.headers.get('date') ?? '')).toBe(usualNow)
    expect((await fetch('/api/v2/nowhere')).status).toBe(404)
  })
})
