import {
  createIncident,
  deleteIncident,
  MAX_UPDATES,
  readStatus,
  updateIncident,
} from '@pennant/contract/status.ts'
import { DAY_MS, SECOND_MS } from '@pennant/contract/durations.ts'
import { exchangeExtrankCode } from '@pennant/contract/extrank.ts'
import { openStream, STREAM_TYPE } from '@pennant/contract/stream.ts'
import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { withMail } from '../../../../test/mail.ts'
import { siteClient, startFakeRankingSite } from '../../../../test/ranking-site.ts'
import { componentStates } from './components.ts'

let contest: Contest
let admin: Member
beforeAll(async () => {
  contest = await startContest()
  admin = await contest.admin()
})
afterAll(() => contest[Symbol.asyncDispose]())

async function status() {
  const response = await contest.call(readStatus, {})
  if (response.kind !== 'goodStatus') throw new Error(response.kind)
  return response.data
}

const first = {
  title: 'Instances do not start',
  severity: 'major',
  components: ['instances'],
  state: 'investigating',
  text: 'We are **looking**.',
} as const

async function post(fields: object = {}, { token } = admin) {
  return await contest.call(createIncident, {
    token,
    body: { ...first, components: [...first.components], ...fields },
  })
}

async function posted(fields: object = {}) {
  const response = await post(fields)
  if (response.kind !== 'goodIncident') throw new Error(response.kind)
  return response.data
}

const update = (id: string, body: object, { token } = admin) =>
  contest.call(updateIncident, { token, params: { id }, body: body as never })
const remove = (id: string, { token } = admin) => contest.call(deleteIncident, { token, params: { id } })

test('an incident is public at once, follows its updates, and is shown for a week after its end', async () => {
  const startedAt = contest.clock.now()
  const incident = await posted()
  expect(incident).toEqual({
    id: expect.any(String),
    title: first.title,
    severity: 'major',
    components: ['instances'],
    state: 'investigating',
    startedAt,
    resolvedAt: null,
    updates: [{ at: startedAt, state: 'investigating', text: first.text }],
  })
  expect((await status()).incidents).toEqual([incident])

  contest.clock.advance(60 * SECOND_MS)
  const { id } = incident
  await update(id, { state: 'monitoring', text: 'A host was added.', severity: 'minor' })
  contest.clock.advance(60 * SECOND_MS)
  await update(id, { state: 'resolved', text: 'All is well.' })
  const resolvedAt = contest.clock.now()
  const [shown] = (await status()).incidents
  expect(shown).toMatchObject({
    state: 'resolved',
    severity: 'minor',
    title: first.title,
    startedAt,
    resolvedAt,
  })
  expect(shown?.updates.map(({ state }) => state)).toEqual(['resolved', 'monitoring', 'investigating'])

  contest.clock.advance(7 * DAY_MS - SECOND_MS)
  expect((await status()).incidents.map((each) => each.id)).toEqual([id])
  contest.clock.advance(10 * SECOND_MS)
  expect((await status()).incidents).toEqual([])
  await update(id, { state: 'identified', text: 'Again.' })
  expect((await status()).incidents).toMatchObject([{ id, state: 'identified', resolvedAt: null }])
  expect((await remove(id)).kind).toBe('goodIncidentDeleted')
  expect((await status()).incidents).toEqual([])
  const actions = await contest.db.query(
    sql`select action from admin_actions where target = ${id} order by at, id`,
  )
  expect(actions.map((each) => (each as { action: string }).action)).toEqual([
    'incident.create',
    ...Array.from({ length: 3 }, () => 'incident.update'),
    'incident.delete',
  ])
})

test('has no more updates than fit, and keeps those that it has', async () => {
  const { id } = await posted()
  const updates = Array.from({ length: MAX_UPDATES }, () => ({ at: 1, state: 'investigating', text: 'x' }))
  await contest.db.query(sql`update incidents set updates = ${JSON.stringify(updates)} where id = ${id}`)
  expect((await update(id, { state: 'resolved', text: 'The end.' })).kind).toBe('badIncidentFull')
  await remove(id)
})

test('is only for organisers with the permission', async () => {
  const { id } = await posted()
  const player = await contest.team()
  const next = { state: 'resolved', text: 'Nothing to see.' }
  expect((await post({}, player)).kind).toBe('badPerms')
  expect((await update(id, next, player)).kind).toBe('badPerms')
  expect((await remove(id, player)).kind).toBe('badPerms')
  const nobody = { token: 'none' } as Member
  const kinds = [await post({}, nobody), await update(id, next, nobody), await remove(id, nobody)]
  expect(kinds.map(({ kind }) => kind)).toEqual(['badToken', 'badToken', 'badToken'])
  expect((await update('missing', next)).kind).toBe('badIncident')
  expect((await remove('missing')).kind).toBe('badIncident')
  await remove(id)
})

test('refuses what is not an incident, and stores nothing', async () => {
  for (const wrong of [
    { title: '  ' },
    { title: 'x'.repeat(121) },
    { text: '' },
    { components: ['moon'] },
    { state: 'over' },
  ])
    expect((await post(wrong)).kind).toBe('badBody')
  expect((await status()).incidents).toEqual([])
})

describe('components', () => {
  test('are those of the deployment, and well', async () => {
    expect((await status()).components).toEqual([
      { name: 'site', state: 'ok' },
      { name: 'flags', state: 'ok' },
      { name: 'scoreboard', state: 'ok' },
      { name: 'stream', state: 'ok' },
    ])
  })

  test('are down if looking at them fails', async () => {
    const states = await componentStates([
      { name: 'site', check: () => 'degraded' },
      { name: 'flags', check: () => Promise.reject(new Error('away')) },
      {
        name: 'mail',
        check: () => {
          throw new Error('broken')
        },
      },
    ])
    expect(states.map(({ state }) => state)).toEqual(['degraded', 'down', 'down'])
  })

  test('that cannot be read are unknown, and so are incidents until they were read', async () => {
    await using other = await startContest({ config: { email: withMail.email } })
    const read = async () => (await other.call(readStatus, {})).data as Awaited<ReturnType<typeof status>>
    const rename = (table: string, name: string) =>
      other.db.query(sql`alter table ${raw(table)} rename to ${raw(name)}`)
    await rename('incidents', 'away')
    await rename('outbox', 'queue')
    const unread = await read()
    expect(unread).toMatchObject({ incidents: [], incidentsAt: null })
    expect(unread.components).toContainEqual({ name: 'mail', state: 'unknown' })
    await rename('away', 'incidents')
    await rename('queue', 'outbox')
    other.clock.advance(10 * SECOND_MS)
    const readAt = other.clock.now()
    expect(await read()).toMatchObject({ incidentsAt: readAt })
    await rename('incidents', 'away')
    other.clock.advance(10 * SECOND_MS)
    expect(await read()).toMatchObject({ now: other.clock.now(), incidentsAt: readAt })
  })

  test('include the ranking site, which is down after it failed several times until it responds', async () => {
    await using site = await startFakeRankingSite()
    const { tokenUrl, userUrl } = site
    await using other = await startContest({ config: { extrank: { ...siteClient, tokenUrl, userUrl } } })
    const state = async () => {
      other.clock.advance(10 * SECOND_MS)
      const { components } = (await other.call(readStatus, {})).data as Awaited<ReturnType<typeof status>>
      return components.find(({ name }) => name === 'ranking')?.state
    }
    const exchange = (extrankCode: string) => other.call(exchangeExtrankCode, { body: { extrankCode } })
    expect(await state()).toBe('ok')
    site.responses.set('/token', { status: 503, body: '' })
    for (let failures = 0; failures < 5; failures += 1) await exchange('right')
    expect(await state()).toBe('down')
    site.responses.clear()
    site.teams.set('right', { id: 1, name: 'Ants' })
    expect((await exchange('right')).kind).toBe('goodExtrankToken')
    expect(await state()).toBe('ok')
  })

  test('do not include streams that are off, and streams without a place are degraded', async () => {
    const states = async (max: number) => {
      await using other = await startContest({ config: { http: { streams: { max } } } })
      const open = new AbortController()
      if (max > 0) {
        const headers = { accept: STREAM_TYPE }
        await fetch(`${other.url}${openStream.path}`, { headers, signal: open.signal })
      }
      const { components } = (await other.call(readStatus, {})).data as Awaited<ReturnType<typeof status>>
      open.abort()
      return components.find(({ name }) => name === 'stream')?.state
    }
    expect([await states(0), await states(1), await states(2)]).toEqual([undefined, 'degraded', 'ok'])
  })
})
