import { putChallengeV2, readAdminChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { announcementLimits, listAnnouncements } from '@pennant/contract/announcements.ts'
import { listChallengesV2 } from '@pennant/contract/challenges.ts'
import { HOUR_MS, MINUTE_MS } from '@pennant/contract/durations.ts'
import { permissions } from '@pennant/contract/permissions.ts'
import * as contract from '@pennant/contract/waves.ts'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { putChallenge } from '../../../../test/contest-data.ts'
import { challengeRow } from '../../../../test/contest-rows.ts'
import { eventually } from '../../../../test/eventually.ts'
import { noon, startContest, type Contest, type Member } from '../../../../test/harness.ts'

let contest: Contest
let admin: Member
let player: Member
beforeEach(async () => {
  contest = await startContest()
  admin = await contest.admin()
  player = await contest.team()
  for (const id of ['a', 'b', 'c']) await putChallenge(contest.db, challengeRow(id, { hidden: false }))
})
afterEach(async () => {
  await contest[Symbol.asyncDispose]()
})

const token = () => admin.token
const later = noon + HOUR_MS

const create = (data: object) =>
  contest.call(contract.createWave, { token: token(), body: { data: { name: 'Wave 2', ...data } } as never })

async function made(data: object) {
  const response = await create(data)
  if (response.kind !== 'goodWave') throw new Error(JSON.stringify(response))
  return response.data.wave
}

const edit = (id: string, data: object) =>
  contest.call(contract.updateWave, { token: token(), params: { id }, body: { data } as never })
const move = (id: string, data: object) =>
  contest.call(contract.moveWave, { token: token(), params: { id }, body: { data } as never })
const remove = (id: string) => contest.call(contract.deleteWave, { token: token(), params: { id } })

async function waves(at: Contest = contest) {
  const response = await at.call(contract.listWaves, { token: token() })
  if (response.kind !== 'goodWaves') throw new Error(response.kind)
  return response.data.waves
}

async function waveNow(id: string) {
  const found = (await waves()).find((wave) => wave.id === id)
  if (!found) throw new Error('no such wave')
  return found
}

async function shown(at: Contest = contest) {
  const response = await at.call(listChallengesV2, { token: player.token })
  if (response.kind !== 'goodChallenges') throw new Error(response.kind)
  return response.data.map(({ id }) => id).toSorted()
}

async function announced(at: Contest = contest) {
  const response = await at.call(listAnnouncements, { token: player.token })
  if (response.kind !== 'goodAnnouncements') throw new Error(response.kind)
  return response.data.announcements
}

async function stored(id: string) {
  const response = await contest.call(readAdminChallengeV2, { token: token(), params: { id } })
  if (response.kind !== 'goodAdminChallenge') throw new Error(response.kind)
  return response.data
}

async function saveChallenge(id: string, data: object) {
  return await contest.call(putChallengeV2, { token: token(), params: { id }, body: { data } as never })
}

const advanceTo = (at: number) => contest.clock.advance(at - contest.clock.now())

describe('the time of a wave', () => {
  test('is the release time of all its challenges, and they move together', async () => {
    const wave = await made({ openAt: later, challengeIds: ['a', 'b'], force: true })
    expect(wave).toMatchObject({
      name: 'Wave 2',
      openAt: later,
      version: 1,
      announce: true,
      countdown: false,
    })
    expect(await shown()).toEqual(['c'])
    expect(await stored('a')).toMatchObject({ releaseTime: later, waveId: wave.id })
    expect(await stored('c')).not.toHaveProperty('waveId')

    const moved = await move(wave.id, { version: 1, byMs: 30 * MINUTE_MS })
    expect(moved).toMatchObject({
      kind: 'goodWave',
      data: { wave: { openAt: later + 30 * MINUTE_MS, version: 2, challengeIds: expect.any(Array) } },
    })
    for (const id of ['a', 'b']) expect((await stored(id)).releaseTime).toBe(later + 30 * MINUTE_MS)
    expect(await move(wave.id, { version: 1, byMs: MINUTE_MS })).toMatchObject({
      kind: 'badWaveVersion',
      data: { version: 2 },
    })
    advanceTo(later + 30 * MINUTE_MS - 1)
    expect(await shown()).toEqual(['c'])
    advanceTo(later + 30 * MINUTE_MS)
    expect(await shown()).toEqual(['a', 'b', 'c'])
  })

  test('without one its challenges are not released, and leave it hidden', async () => {
    const wave = await made({ challengeIds: ['a', 'b'], force: true })
    expect(wave.openAt).toBeNull()
    advanceTo(noon + 40 * HOUR_MS)
    expect(await shown()).toEqual(['c'])
    expect(await move(wave.id, { version: 1, byMs: 1 })).toMatchObject({ kind: 'badWaveUnscheduled' })
    expect(await edit(wave.id, { version: 1, challengeIds: ['a'] })).toMatchObject({ kind: 'goodWave' })
    expect(await stored('b')).toMatchObject({ hidden: true, releaseTime: null })
    expect((await remove(wave.id)).kind).toBe('goodWaveDelete')
    expect(await stored('a')).toMatchObject({ hidden: true, releaseTime: null })
    expect(await shown()).toEqual(['c'])
    expect((await remove(wave.id)).kind).toBe('badWave')
  })

  test('is kept by the challenges of a deleted wave', async () => {
    const wave = await made({ openAt: later, challengeIds: ['a'], force: true })
    await remove(wave.id)
    expect(await stored('a')).toMatchObject({ hidden: false, releaseTime: later })
    expect(await stored('a')).not.toHaveProperty('waveId')
  })

  test('of released challenges changes only if that is confirmed', async () => {
    expect(await create({ openAt: later, challengeIds: ['a'] })).toMatchObject({
      kind: 'badWaveReleased',
      data: { challengeIds: ['a'] },
    })
    const wave = await made({ openAt: noon - MINUTE_MS, challengeIds: ['a'] })
    expect(await shown()).toEqual(['a', 'b', 'c'])
    const refused = { kind: 'badWaveReleased', data: { challengeIds: ['a'] } }
    const { version } = await eventually(async () => {
      const now = await waveNow(wave.id)
      if (now.announcedAt === null) throw new Error('not announced yet')
      return now
    })
    expect(await move(wave.id, { version, byMs: HOUR_MS })).toMatchObject(refused)
    expect(await edit(wave.id, { version, openAt: null })).toMatchObject(refused)
    expect(await edit(wave.id, { version, challengeIds: ['a', 'b'] })).toMatchObject({ kind: 'goodWave' })
    expect(await move(wave.id, { version: version + 1, byMs: HOUR_MS, force: true })).toMatchObject({
      kind: 'goodWave',
    })
    expect(await shown()).toEqual(['c'])
    expect(await announced()).toEqual([])
  })

  test('may change freely before the event, when players see nothing', async () => {
    await using early = await startContest({ startsAt: noon - 2 * HOUR_MS })
    await putChallenge(early.db, challengeRow('a'))
    const owner = await early.admin()
    const body = { data: { name: 'W', openAt: later, challengeIds: ['a'] } }
    expect(await early.call(contract.createWave, { token: owner.token, body })).toMatchObject({
      kind: 'goodWave',
    })
  })
})

describe('a challenge', () => {
  test('joins, changes and leaves a wave in its own editor', async () => {
    const one = await made({ openAt: later })
    const two = await made({ name: 'Wave 3', openAt: later + HOUR_MS })
    expect(await saveChallenge('a', { waveId: one.id })).toMatchObject({ data: { waveId: one.id } })
    expect((await waveNow(one.id)).version).toBe(2)
    expect(await saveChallenge('a', { waveId: two.id, releaseTime: 1_900_000_000_000 })).toMatchObject({
      data: { releaseTime: later + HOUR_MS },
    })
    expect((await waveNow(one.id)).challengeIds).toEqual([])
    // An edit of everything sends the time that it has read.
    expect(await saveChallenge('a', { name: 'A', releaseTime: later + HOUR_MS })).toMatchObject({
      kind: 'goodChallengeUpdateV2',
    })
    expect(await saveChallenge('a', { releaseTime: 1_900_000_000_000 })).toMatchObject({
      kind: 'badBody',
      data: { reason: expect.stringContaining('data.releaseTime') },
    })
    expect(await saveChallenge('a', { waveId: null })).toMatchObject({
      data: { releaseTime: later + HOUR_MS, hidden: false },
    })
    expect(await saveChallenge('a', { waveId: 'nothing' })).toMatchObject({
      kind: 'badBody',
      data: { reason: expect.stringContaining('data.waveId') },
    })
    const never = await made({ name: 'Never' })
    await saveChallenge('a', { waveId: never.id })
    expect(await saveChallenge('a', { waveId: null })).toMatchObject({
      data: { releaseTime: null, hidden: true },
    })
    await saveChallenge('b', { waveId: never.id })
    expect(await saveChallenge('b', { waveId: null, releaseTime: later })).toMatchObject({
      data: { releaseTime: later, hidden: false },
    })
    expect(await saveChallenge('new', { name: 'New', waveId: one.id })).toMatchObject({
      data: { releaseTime: later },
    })
  })

  test('of another wave leaves that one, whose editors notice', async () => {
    const one = await made({ openAt: later, challengeIds: ['a'], force: true })
    const two = await made({ name: 'Wave 3', openAt: later + 1, challengeIds: ['a'] })
    expect(await waveNow(one.id)).toMatchObject({ challengeIds: [], version: 2 })
    expect((await waveNow(two.id)).challengeIds).toEqual(['a'])
  })
})

describe('an opening', () => {
  const list = (names: string[]) => names.map((name) => `- **Challenge ${name}** (misc)`).join('\n')

  test('is announced once, at its time, whatever happens in between', async () => {
    await using replica = await startContest({ beside: contest })
    await putChallenge(contest.db, challengeRow('secret', { hidden: true }))
    const wave = await made({ openAt: later, challengeIds: ['a', 'b', 'secret'], force: true })
    advanceTo(later - 1)
    await move(wave.id, { version: 1, byMs: 30 * MINUTE_MS })
    advanceTo(later + 30 * MINUTE_MS - 1)
    expect(await announced()).toEqual([])
    advanceTo(later + 30 * MINUTE_MS)
    const [text] = await eventually(async () => {
      const texts = await announced(replica)
      if (texts.length === 0) throw new Error('nothing was announced')
      return texts
    })
    expect(text).toMatchObject({
      title: 'Wave 2 is open',
      content: list(['a', 'b']),
      publishedAt: later + 30 * MINUTE_MS,
    })
    await using restarted = await startContest({ beside: contest })
    expect(await waves(restarted)).toMatchObject([
      { announcementId: text?.id, announcedAt: expect.any(Number) },
    ])
    contest.clock.advance(HOUR_MS)
    await edit(wave.id, { version: 3, name: 'Renamed' })
    expect(await announced()).toHaveLength(1)
  })

  test('has the texts of its authors', async () => {
    const title = '{wave}: {count} new in {categories}'
    await made({
      name: 'Wave *2*',
      openAt: later,
      title,
      text: 'Good luck in {wave}.\n\n{challenges}\n{unknown}',
      challengeIds: ['a', 'b'],
      force: true,
    })
    advanceTo(later)
    await eventually(async () =>
      expect(await announced()).toMatchObject([
        {
          title: 'Wave *2*: 2 new in misc',
          content: `Good luck in Wave \\*2\\*.\n\n${list(['a', 'b'])}\n{unknown}`,
        },
      ]),
    )
  })

  test('is announced again after the wave was closed and opens again, and the first text is withdrawn', async () => {
    const wave = await made({ openAt: noon, challengeIds: ['a'] })
    const first = await eventually(async () => {
      const [text] = await announced()
      if (!text) throw new Error('nothing was announced')
      return text
    })
    await move(wave.id, { version: (await waveNow(wave.id)).version, byMs: HOUR_MS, force: true })
    expect(await announced()).toEqual([])
    advanceTo(later)
    const second = await eventually(async () => {
      const [text] = await announced()
      if (!text) throw new Error('nothing was announced')
      return text
    })
    expect(second.id).not.toBe(first.id)
  })

  test('without visible challenges, or without `announce`, is not announced', async () => {
    await putChallenge(contest.db, challengeRow('secret', { hidden: true }))
    const empty = await made({ openAt: later, challengeIds: ['secret'] })
    const silent = await made({
      name: 'Silent',
      openAt: later,
      challengeIds: ['a'],
      announce: false,
      force: true,
    })
    advanceTo(later)
    await eventually(async () => expect((await waveNow(empty.id)).announcedAt).not.toBeNull())
    expect(await announced()).toEqual([])
    expect((await waveNow(silent.id)).announcedAt).toBeNull()
    const { version } = await waveNow(silent.id)
    await edit(silent.id, { version, announce: true })
    await eventually(async () => expect(await announced()).toHaveLength(1))
  })

  test('waits until there is room for the announcement', async () => {
    await contest.db.query(sql`
      insert into announcements (id, title, content, severity, audience, pinned, forward, publish_at)
      select 'n' || n, 'x', '', 'info', '{"kind":"all"}', false, false, clock_timestamp() + interval '100 years'
      from generate_series(1, ${announcementLimits.stored}::int) n`)
    await made({ openAt: noon, challengeIds: ['a'] })
    await eventually(() =>
      expect(contest.logLines.some(({ message }) => message === 'a job failed; retrying')).toBe(true),
    )
    await contest.db.query(sql`delete from announcements`)
    await eventually(async () => expect(await announced()).toHaveLength(1))
  })
})

describe('refusals', () => {
  test('of names, versions, challenges and amounts', async () => {
    const wave = await made({ openAt: later })
    expect((await create({})).kind).toBe('badWaveName')
    expect((await create({ name: 'X', challengeIds: ['nothing'] })).kind).toBe('badChallenge')
    const other = await made({ name: 'Other' })
    expect((await edit(other.id, { version: 1, name: 'Wave 2' })).kind).toBe('badWaveName')
    expect((await edit(other.id, { version: 1, challengeIds: ['nothing'] })).kind).toBe('badChallenge')
    expect(await edit(other.id, { version: 7 })).toMatchObject({
      kind: 'badWaveVersion',
      data: { version: 1 },
    })
    expect((await edit('nothing', { version: 1 })).kind).toBe('badWave')
    expect((await move('nothing', { version: 1, byMs: 1 })).kind).toBe('badWave')
    expect((await edit(wave.id, { version: 1, openAt: contract.LAST_WAVE_TIME })).kind).toBe('goodWave')
    expect(await move(wave.id, { version: 2, byMs: 1 })).toMatchObject({ kind: 'badBody' })
    expect((await waveNow(wave.id)).openAt).toBe(contract.LAST_WAVE_TIME)
    for (const data of [{ name: ' ' }, { openAt: -1 }, { title: '' }, { challengeIds: [''] }])
      expect(await create(data)).toMatchObject({ kind: 'badBody' })
    await contest.db.query(sql`
      insert into waves (id, name, announce, forward, countdown)
      select 'w' || n, 'w' || n, false, false, false from generate_series(1, ${contract.waveLimits.stored}::int) n`)
    expect(await create({ name: 'Many' })).toMatchObject({ kind: 'badWaveCount', data: { max: 100 } })
  })

  test('of teams without the permissions', async () => {
    const wave = await made({ openAt: later })
    const reader = await contest.admin(permissions.challsRead)
    const writer = await contest.admin(permissions.challsWrite)
    const body = { data: { name: 'X', version: 1, byMs: 1 } } as never
    const params = { id: wave.id }
    for (const [caller, kind] of [
      [{}, 'badToken'],
      [player, 'badPerms'],
      [reader, 'badPerms'],
      [writer, 'badPerms'],
    ] as const) {
      const own = 'token' in caller ? { token: caller.token } : {}
      expect((await contest.call(contract.createWave, { ...own, body })).kind).toBe(kind)
      expect((await contest.call(contract.updateWave, { ...own, params, body })).kind).toBe(kind)
      expect((await contest.call(contract.moveWave, { ...own, params, body })).kind).toBe(kind)
      expect((await contest.call(contract.deleteWave, { ...own, params })).kind).toBe(kind)
      const list = (await contest.call(contract.listWaves, own)).kind
      expect(list).toBe(caller === reader ? 'goodWaves' : kind)
    }
  })
})
