import { listActions, undoAction } from '@pennant/contract/actions.ts'
import { putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { updateTeam } from '@pennant/contract/admin-teams.ts'
import { createAnnouncement, listAnnouncements, updateAnnouncement } from '@pennant/contract/announcements.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { permissions } from '@pennant/contract/permissions.ts'
import { createWave, moveWave, updateWave } from '@pennant/contract/waves.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { waveRows } from '../../news/waves/rows.ts'

let contest: Contest
let admin: Member
beforeAll(async () => {
  contest = await startContest()
  admin = await contest.admin()
})
afterAll(() => contest[Symbol.asyncDispose]())

async function newest() {
  const response = await contest.call(listActions, { token: admin.token, query: { limit: '1' } })
  if (response.kind !== 'goodActions') throw new Error(response.kind)
  return response.data.actions[0]!
}

const undo = (seq: number, { token } = admin) =>
  contest.call(undoAction, { token, params: { id: String(seq) } })

const waveIn = (id: string) =>
  contest
    .world()
    .rows(waveRows)
    .find((wave) => wave.id === id)

test('of a move puts the wave and its challenges back, unless it was moved again', async () => {
  const { token } = admin
  await contest.call(putChallengeV2, { token, params: { id: 'waved' }, body: { data: { name: 'Waved' } } })
  const openAt = contest.clock.now() + 2 * HOUR_MS
  const data = { name: 'Moved', openAt, challengeIds: ['waved'], announce: false, force: true }
  const made = await contest.call(createWave, { token, body: { data } })
  if (made.kind !== 'goodWave') throw new Error(made.kind)
  const { id } = made.data.wave
  const move = async (byMs: number, force = false) => {
    const version = waveIn(id)?.version ?? 0
    const moved = await contest.call(moveWave, {
      token,
      params: { id },
      body: { data: { version, byMs, force } },
    })
    expect(moved.kind).toBe('goodWave')
    return await newest()
  }
  const first = await move(HOUR_MS)
  expect(first).toMatchObject({ action: 'wave.update', canUndo: true })
  const second = await move(HOUR_MS)
  expect(await undo(first.seq)).toMatchObject({ kind: 'badActionChanged', data: { fields: ['openAt'] } })
  expect((await undo(second.seq)).kind).toBe('goodActionUndo')
  expect((await undo(first.seq)).kind).toBe('goodActionUndo')
  expect(waveIn(id)?.openAt).toBe(openAt)
  expect(contest.world().challenge('waved')?.releaseAt).toBe(openAt)
  expect(await newest()).toMatchObject({ action: 'wave.update', undoes: first.seq })

  // Players see the challenges now, and would lose them.
  const opened = await move(-3 * HOUR_MS)
  expect(contest.world().challenge('waved')?.isPublic).toBe(true)
  const before = waveIn(id)
  expect(await undo(opened.seq)).toMatchObject({ kind: 'badActionChanged', data: { fields: ['openAt'] } })
  expect(waveIn(id)).toEqual(before)
  expect(await newest()).toMatchObject({ seq: opened.seq })
})

test('of an edit of a wave brings its name and challenges back, unless the name is taken', async () => {
  const { token } = admin
  const made = await contest.call(createWave, { token, body: { data: { name: 'Old name' } } })
  if (made.kind !== 'goodWave') throw new Error(made.kind)
  const { id } = made.data.wave
  await contest.call(updateWave, { token, params: { id }, body: { data: { version: 1, name: 'New name' } } })
  const { seq } = await newest()
  const other = await contest.call(createWave, { token, body: { data: { name: 'Old name' } } })
  expect(other.kind).toBe('goodWave')
  expect(await undo(seq)).toMatchObject({ kind: 'badActionChanged', data: { fields: ['name'] } })
  const reader = await contest.admin(
    permissions.challsRead + permissions.usersWrite + permissions.settingsWrite,
  )
  expect((await undo(seq, reader)).kind).toBe('badPerms')
})

test('of an edited announcement brings the earlier text back', async () => {
  const { token } = admin
  const made = await contest.call(createAnnouncement, {
    token,
    body: { data: { title: 'Right', content: 'A' } },
  })
  if (made.kind !== 'goodAnnouncementUpdate') throw new Error(made.kind)
  const { id } = made.data.announcement
  const data = { version: 1, title: 'Wrong' }
  await contest.call(updateAnnouncement, { token, params: { id }, body: { data } })
  const { seq } = await newest()
  expect((await undo(seq)).kind).toBe('goodActionUndo')
  const { data: shown } = await contest.call(listAnnouncements, {})
  expect(JSON.stringify(shown)).toContain('Right')
  expect(JSON.stringify(shown)).not.toContain('Wrong')
  expect(await newest()).toMatchObject({ action: 'announcement.update', undoes: seq })
  expect(await undo(seq)).toMatchObject({ kind: 'badActionChanged', data: { fields: ['title'] } })
})

test('of a ban lets the team play again; of another name it is refused', async () => {
  const { token } = admin
  const { id } = await contest.team('Gulls')
  const update = async (data: object) => {
    expect((await contest.call(updateTeam, { token, params: { id }, body: { data } })).kind).toMatch(/^good/)
    return await newest()
  }
  const ban = await update({ banned: true })
  expect(contest.world().team(id)?.banned).toBe(true)
  expect((await undo(ban.seq)).kind).toBe('goodActionUndo')
  expect(contest.world().team(id)?.banned).toBe(false)
  expect(await undo(ban.seq)).toMatchObject({ kind: 'badActionChanged', data: { fields: ['banned'] } })
  expect(await update({ name: 'Other gulls' })).toMatchObject({ canUndo: false })
})
