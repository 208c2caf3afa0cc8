import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getClientConfigV1, getClientConfigV2 } from '@pennant/contract/client-config.ts'
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

test('the policy allows the avatars of an earlier file store', async () => {
  const team = await contest.team()
  await contest.db.change(async (tx) => {
    await tx.query(sql`update teams set avatar_url = 'https://old.test/avatars/a.webp' where id = ${team.id}`)
    tx.changed('teams', [team.id])
  })
  await putSettings(contest.db, { ctfName: 'After a start' })
  const { headers } = await fetch(contest.url)
  expect(headers.get('content-security-policy')).toContain("img-src 'self' data: blob: https://old.test;")
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
