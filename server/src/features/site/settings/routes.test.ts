import * as contract from '@pennant/contract/admin-settings.ts'
import { getClientConfigV2 } from '@pennant/contract/client-config.ts'
import { listChallengesV2 } from '@pennant/contract/challenges.ts'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { noon, startContest, type Contest, type Member } from '../../../../test/harness.ts'

let contest: Contest
let admin: Member
beforeEach(async () => {
  contest = await startContest({ config: { ctfName: 'Configured', sponsors: [sponsor] } })
  admin = await contest.admin()
})
afterEach(() => contest[Symbol.asyncDispose]())

const sponsor = { name: 'ACME', icon: '/acme.svg', description: 'Anvils' }
const update = (data: unknown) =>
  contest.call(contract.updateSettings, { token: admin.token, body: { data } as never })
const read = () => contest.call(contract.readSettings, { token: admin.token })
const overridesOf = ({ data }: { data: unknown }) => (data as { overrides: object }).overrides
const shown = async (on = contest) => (await on.call(getClientConfigV2, {})).data as Record<string, unknown>

test("initially has only the deployment's defaults, and no other part of its configuration", async () => {
  const { kind, data } = await read()
  expect(kind).toBe('goodAdminSettings')
  expect(data).toEqual({
    overrides: {},
    defaults: {
      ctfName: 'Configured',
      homeContent: expect.stringContaining('Welcome'),
      startTime: noon - HOUR_MS,
      endTime: noon + 47 * HOUR_MS,
      sponsors: [sponsor],
      meta: { description: expect.any(String), imageUrl: '' },
      faviconUrl: '/favicon.svg',
      logoLightUrl: '',
      logoDarkUrl: '',
    },
  })
})

test('sets given values, resets null and keeps absent ones', async () => {
  const all = {
    ctfName: 'Renamed',
    homeContent: '',
    startTime: noon,
    endTime: noon + HOUR_MS,
    sponsors: [],
    meta: { description: 'Shared' },
    faviconUrl: '/f.ico',
    logoLightUrl: '/l.svg',
    logoDarkUrl: '/d.svg',
  }
  const response = await update(all)
  expect(response.kind).toBe('goodAdminSettingsUpdate')
  expect(overridesOf(response)).toEqual(all)
  expect((await read()).data).toEqual(response.data)
  expect(await shown()).toMatchObject({
    ctfName: 'Renamed',
    homeContent: '',
    startTime: noon,
    sponsors: [],
    meta: { description: 'Shared', imageUrl: '' },
    logoLightUrl: '/l.svg',
  })

  const { ctfName: _, homeContent, sponsors, ...rest } = all
  const cleared = await update({ ctfName: null, unknown: 1 })
  expect(overridesOf(cleared)).toEqual({ homeContent, sponsors, ...rest })
  expect(await shown()).toMatchObject({ ctfName: 'Configured', homeContent: '' })
  expect(overridesOf(await update({ sponsors: null }))).toEqual({ homeContent, ...rest })
  expect(
    overridesOf(await update({ sponsors: [{ ...sponsor, url: 'https://acme.example' }] })),
  ).toMatchObject({
    sponsors: [{ ...sponsor, url: 'https://acme.example' }],
  })
})

test('meta is replaced as a whole', async () => {
  await update({ meta: { description: 'One', imageUrl: '/one.png' } })
  expect(overridesOf(await update({ meta: { imageUrl: '/two.png' } }))).toEqual({
    meta: { imageUrl: '/two.png' },
  })
  const description = 'A capture-the-flag contest.'
  expect(await shown()).toMatchObject({ meta: { description, imageUrl: '/two.png' } })
})

test('start and end must be in order when sent together; one alone is accepted', async () => {
  for (const endTime of [noon, noon - 1]) {
    const response = await update({ startTime: noon, endTime })
    expect(response).toMatchObject({
      kind: 'badBody',
      data: { reason: expect.stringMatching(/^body:data\.startTime: /) },
    })
  }
  expect((await update({ startTime: noon + 100 * HOUR_MS })).kind).toBe('goodAdminSettingsUpdate')
  expect((await update({ startTime: null, endTime: noon })).kind).toBe('goodAdminSettingsUpdate')
})

test('changing the start closes and opens the contest immediately, in other processes too', async () => {
  await using other = await startContest({ beside: contest })
  const kind = async (on: Contest) => (await on.call(listChallengesV2, {})).kind
  await update({ startTime: noon + HOUR_MS })
  expect(await kind(contest)).toBe('badNotStarted')
  await vi.waitUntil(async () => (await kind(other)) === 'badNotStarted', { timeout: 60_000, interval: 20 })
  await update({ startTime: null })
  expect(await kind(contest)).toBe('goodChallenges')
  await vi.waitUntil(async () => (await kind(other)) === 'goodChallenges', { timeout: 60_000, interval: 20 })
})

test('a malformed update changes nothing', async () => {
  for (const data of [
    undefined,
    null,
    [],
    { ctfName: 7 },
    { ctfName: 'x'.repeat(201) },
    { homeContent: 'x'.repeat(200_001) },
    { startTime: 1.5 },
    { startTime: '2030-01-01' },
    { endTime: 9e15 },
    { startTime: 1_900_000_000 },
    { freezeTime: 0 },
    { sponsors: [{ name: 'ACME' }] },
    { sponsors: [{ ...sponsor, url: null }] },
    { sponsors: Array.from({ length: 101 }, () => sponsor) },
    { meta: 'text' },
    { faviconUrl: 'x'.repeat(4097) },
    { logoDarkUrl: false },
  ])
    expect((await update(data)).kind, JSON.stringify(data)?.slice(0, 60)).toBe('badBody')
  expect(overridesOf(await read())).toEqual({})
})

test('times that contradict each other are stored with a warning', async () => {
  const warningsOf = async (data: object) => {
    const response = await update(data)
    return response.kind === 'goodAdminSettingsUpdate' ? (response.data.warnings ?? []) : null
  }
  expect(await warningsOf({ endTime: noon + 1000 })).toEqual([])
  // Each change alone is fine, so the server cannot know which of them is wrong.
  expect(await warningsOf({ startTime: noon + 2000 })).toEqual([
    expect.stringMatching(/^The event ends at .*, not after its start at .* Set endTime after startTime\.$/),
  ])
  expect(await warningsOf({ startTime: null, freezeTime: noon + 5000 })).toEqual([
    expect.stringMatching(/^The standings freeze at .*, which is not between the start and the end/),
  ])
  expect(await warningsOf({ endTime: null, freezeTime: null })).toEqual([])
})

test('concurrent edits of different keys are all kept', async () => {
  const edits = [{ ctfName: 'A' }, { homeContent: 'B' }, { meta: { description: 'C' } }, { endTime: noon }]
  await Promise.all(edits.map(update))
  expect(overridesOf(await read())).toEqual(Object.assign({}, ...edits))
})

test('each change records who made it, when, and the previous values', async () => {
  await update({ ctfName: 'First' })
  await update({ ctfName: 'Second', homeContent: null })
  await update({ ctfName: 'Second' })
  await update({ ctfName: null })
  const history = await contest.db.query(sql`
    select version, key, old_value as old, changed_by as actor from settings_history order by id`)
  const row = { key: 'ctfName', actor: admin.id }
  expect(history).toEqual([
    { ...row, version: 2, old: null },
    { ...row, version: 3, old: 'First' },
    { ...row, version: 4, old: 'Second' },
  ])
  const actions = await contest.db.query(sql`select keys from admin_actions where action = 'settings.update'`)
  expect(actions).toEqual([
    { keys: ['ctfName'] },
    { keys: ['ctfName', 'homeContent'] },
    { keys: ['ctfName'] },
    { keys: ['ctfName'] },
  ])
})

test('an event without configured times is not scheduled until organisers set a start', async () => {
  const unset = { startTime: Date.UTC(9999, 0, 1), endTime: Date.UTC(9999, 0, 3) }
  await using fresh = await startContest({ config: unset })
  const owner = await fresh.admin()
  const { token } = await fresh.team('early')
  const { data } = await fresh.call(contract.readSettings, { token: owner.token })
  expect(Object.keys((data as { defaults: object }).defaults)).not.toContain('startTime')
  expect(await shown(fresh)).toMatchObject({ ...unset, scheduled: false })
  expect(await fresh.call(listChallengesV2, { token })).toMatchObject({ kind: 'badNotStarted' })

  const set = await fresh.call(contract.updateSettings, {
    token: owner.token,
    body: { data: { startTime: noon } },
  })
  expect(set.kind).toBe('goodAdminSettingsUpdate')
  expect(await fresh.call(listChallengesV2, { token })).toMatchObject({ kind: 'goodChallenges' })
  const now = await shown(fresh)
  expect(now).toMatchObject({ startTime: noon, endTime: noon + 48 * HOUR_MS })
  expect(now).not.toHaveProperty('scheduled')
})
