import { FIRST_INSTANT } from '@pennant/contract/instants.ts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { updateSettings } from '@pennant/contract/admin-settings.ts'
import { getClientConfigV1, getClientConfigV2, waitForTimes } from '@pennant/contract/client-config.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { putSettings } from '../../../../test/contest-data.ts'
import { noon, startContest, type Contest } from '../../../../test/harness.ts'

let contest: Contest

const config = {
  ctfName: 'Configured',
  // Public even before the start.
  startTime: noon + HOUR_MS,
  endTime: noon + 2 * HOUR_MS,
  meta: { description: 'configured', imageUrl: '/configured.png' },
  logoLightUrl: '/light.svg',
  divisions: { open: 'Open' },
  extrank: { clientId: 42, clientSecret: 'never shown' },
}

beforeAll(async () => {
  contest = await startContest({ config })
})
afterAll(() => contest[Symbol.asyncDispose]())

async function both() {
  const [v1, v2] = [await contest.call(getClientConfigV1, {}), await contest.call(getClientConfigV2, {})]
  if (v1.kind !== 'goodClientConfig' || v2.kind !== 'goodClientConfig')
    throw new Error(`${v1.kind} ${v2.kind}`)
  return [v1.data, v2.data] as const
}

test('the public configuration is readable before the start and contains no secrets', async () => {
  const [v1, v2] = await both()
  expect(v1).toMatchObject({ ctfName: 'Configured', startTime: noon + HOUR_MS, extrank: { clientId: '42' } })
  expect(v2).toMatchObject({ logoLightUrl: '/light.svg', logoDarkUrl: null, isArchived: false })
  expect(JSON.stringify([v1, v2])).not.toContain('never shown')
})

test('stored settings apply immediately, key by key, and deleting them restores the configured ones', async () => {
  const before = await both()
  await putSettings(contest.db, { ctfName: 'Stored', meta: { description: 'stored' }, logoLightUrl: '' })
  const [v1, v2] = await both()
  const meta = { description: 'stored', imageUrl: '/configured.png' }
  expect(v1).toEqual({ ...before[0], ctfName: 'Stored', meta })
  expect(v2).toEqual({ ...before[1], ctfName: 'Stored', meta, logoLightUrl: null })
  await putSettings(contest.db, {})
  expect(await both()).toEqual(before)
})

test('pictures of other sites are allowed in texts and by the policy once organisers allow them', async () => {
  const policy = async () => (await fetch(contest.url)).headers.get('content-security-policy')
  expect((await both())[1]).not.toHaveProperty('pictureSources')
  await putSettings(contest.db, { externalPictures: true })
  expect((await both())[1].pictureSources).toEqual(['https:'])
  expect(await policy()).toContain("img-src 'self' data: blob: https:;")
  await putSettings(contest.db, { logoDarkUrl: 'https://logo.test/a.svg' })
  expect((await both())[1]).not.toHaveProperty('pictureSources')
  expect(await policy()).toContain("img-src 'self' data: blob: https://logo.test;")
  await putSettings(contest.db, {})
})

test('equal bytes have equal ETags', async () => {
  const read = async (etag = '') => {
    const headers = { 'if-none-match': etag }
    return fetch(`${contest.url}/api/v2/integrations/client/config`, { headers })
  }
  const etag = (await read()).headers.get('etag') ?? ''
  expect((await read(etag)).status).toBe(304)
  await putSettings(contest.db, { ctfName: 'Other' })
  expect((await read(etag)).status).toBe(200)
  await putSettings(contest.db, {})
  expect((await read(etag)).status).toBe(304)
})

describe('waiting for other times', () => {
  const query = { startTime: String(noon + HOUR_MS), endTime: String(noon + 2 * HOUR_MS) }

  test('returns as soon as an organiser moves the start, also on another replica', async () => {
    const replica = await startContest({ beside: contest, config })
    onTestFinished(() => replica[Symbol.asyncDispose]())
    const waiting = [contest, replica].map(({ call }) => call(waitForTimes, { query }))
    const admin = await contest.admin()
    await contest.call(updateSettings, { token: admin.token, body: { data: { startTime: noon } } })
    for (const response of await Promise.all(waiting))
      expect(response).toMatchObject({
        kind: 'goodEventTimes',
        data: { startTime: noon, endTime: noon + 2 * HOUR_MS },
      })
    await putSettings(contest.db, {})
  })

  test('returns immediately for other times, and refuses a query without times', async () => {
    const other = await contest.call(waitForTimes, { query: { ...query, startTime: String(FIRST_INSTANT) } })
    expect(other).toMatchObject({ kind: 'goodEventTimes', data: { startTime: noon + HOUR_MS } })
    const refused = await contest.call(waitForTimes, { query: { startTime: '1' } as never })
    expect(refused.kind).toBe('badBody')
  })

  test('does not delay a shutdown', async () => {
    const other = await startContest({ config })
    onTestFinished(() => other[Symbol.asyncDispose]())
    const waiting = other.call(waitForTimes, { query })
    // The response to a later request on another connection proves that the first one arrived.
    await other.call(getClientConfigV2, {})
    await other.app.drain()
    expect(await waiting).toMatchObject({ kind: 'goodEventTimes' })
  })
})
