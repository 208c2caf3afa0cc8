import { deleteChallenge, putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { HOUR_MS, MINUTE_MS } from '@pennant/contract/durations.ts'
import * as contract from '@pennant/contract/waves.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { putChallenge } from '../../../../test/contest-data.ts'
import { challengeRow } from '../../../../test/contest-rows.ts'
import { noon, startContest, type Contest } from '../../../../test/harness.ts'
import { readStream, type StreamReader } from '../../../../test/stream.ts'

// What players see of a wave before it opens.

let contest: Contest
let token: string
const readers: StreamReader[] = []
beforeEach(async () => {
  contest = await startContest()
  token = (await contest.admin()).token
  for (const id of ['a', 'b', 'c']) await putChallenge(contest.db, challengeRow(id, { hidden: false }))
})
afterEach(async () => {
  for (const reader of readers.splice(0)) reader.close()
  await contest[Symbol.asyncDispose]()
})

const later = noon + HOUR_MS

async function made(data: object) {
  const body = { data: { name: 'Wave 2', openAt: later, force: true, ...data } }
  const response = await contest.call(contract.createWave, { token, body: body as never })
  if (response.kind !== 'goodWave') throw new Error(JSON.stringify(response))
  return response.data.wave
}

const edit = (id: string, data: object) =>
  contest.call(contract.updateWave, { token, params: { id }, body: { data } as never })
const move = (id: string, data: object) =>
  contest.call(contract.moveWave, { token, params: { id }, body: { data } as never })
const save = (id: string, data: object) =>
  contest.call(putChallengeV2, { token, params: { id }, body: { data } as never })

async function next() {
  const response = await contest.call(contract.readNextWave, {})
  if (response.kind !== 'goodNextWave') throw new Error(response.kind)
  return response.data.next
}

async function openReader(): Promise<StreamReader> {
  const reader = await readStream(contest.url, { token: (await contest.team()).token })
  readers.push(reader)
  await reader.next('hello')
  return reader
}

test('has the next wave that players may know of, and nothing else', async () => {
  expect(await next()).toBeNull()
  await made({ name: 'Quiet' })
  await made({ name: 'Never', openAt: null, countdown: true })
  expect(await next()).toBeNull()
  await made({ name: 'Third', openAt: later + HOUR_MS, countdown: true, challengeIds: ['a'] })
  const second = await made({ name: 'Second', countdown: true })
  expect(await next()).toEqual({ name: 'Second', opensAt: later, count: 0 })
  await edit(second.id, { version: 1, countdown: false })
  expect(await next()).toEqual({ name: 'Third', opensAt: later + HOUR_MS, count: 1 })
  contest.clock.advance(2 * HOUR_MS)
  expect(await next()).toBeNull()
})

test('changes at once in open browsers', async () => {
  const reader = await openReader()
  const { id } = await made({ countdown: true, challengeIds: ['a'] })
  expect((await reader.next('wave')).data).toEqual({ next: { name: 'Wave 2', opensAt: later, count: 1 } })
  await move(id, { version: 1, byMs: -30 * MINUTE_MS })
  const opensAt = later - 30 * MINUTE_MS
  expect((await reader.next('wave')).data).toEqual({ next: { name: 'Wave 2', opensAt, count: 1 } })
  expect(JSON.stringify(reader.events)).not.toContain('Challenge a')
})

test('counts what the announcement would name, and follows edits of single challenges', async () => {
  const { id } = await made({ countdown: true, challengeIds: ['a', 'b', 'c'] })
  expect(await next()).toEqual({ name: 'Wave 2', opensAt: later, count: 3 })
  const reader = await openReader()
  const counted = async (count: number) => {
    const event = await reader.next('wave', ({ next: to }) => to?.name === 'Wave 3' && to.count === count)
    expect(event.data).toEqual({ next: await next() })
  }
  // The reader may still get what happened just before; the new name tells it apart.
  await edit(id, { version: 1, name: 'Wave 3' })
  await counted(3)
  await save('a', { hidden: true })
  await counted(2)
  await save('b', { prerequisites: ['c'] })
  await counted(1)
  await save('b', { lockedShown: true })
  await counted(2)
  await save('d', { name: 'New', waveId: id, hidden: false })
  await counted(3)
  await contest.call(deleteChallenge, { token, params: { id: 'd' } })
  await counted(2)
  const before = reader.events.filter(({ name }) => name === 'wave').length
  // Another name changes nothing; the next event shows that there was none for it.
  await save('b', { name: 'Renamed' })
  await save('b', { hidden: true })
  await counted(1)
  expect(reader.events.filter(({ name }) => name === 'wave')).toHaveLength(before + 1)
})
