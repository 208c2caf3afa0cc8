import { putChallengeV2, readAdminChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { exportChallengeArchive, importChallengeArchive } from '@pennant/contract/challenge-archive.ts'
import { createWave, deleteWave } from '@pennant/contract/waves.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startContest, type Contest } from '../../../../test/harness.ts'
import { zipOf } from '../../../../test/zips.ts'

interface Where {
  readonly contest: Contest
  readonly token: string
}

let contest: Contest
let admin = ''
beforeAll(async () => {
  contest = await startContest()
})
beforeEach(async () => {
  admin = (await contest.admin()).token
})
afterAll(() => contest[Symbol.asyncDispose]())

const here = (): Where => ({ contest, token: admin })

function send(archive: Buffer, query: { dryRun?: 'true' } = {}, where = here()) {
  const form = new FormData()
  form.append('archive', new File([new Uint8Array(archive)], 'challenges.zip'))
  return where.contest.call(importChallengeArchive, { token: where.token, query, form })
}

const yamlZip = (documents: Readonly<Record<string, string>>) =>
  zipOf(Object.entries(documents).map(([name, content]) => ({ name, content })))

async function put(id: string, data: object): Promise<void> {
  const result = await contest.call(putChallengeV2, { token: admin, params: { id }, body: { data } })
  expect(result.kind).toBe('goodChallengeUpdateV2')
}

async function read(id: string, { contest: from, token } = here()) {
  const result = await from.call(readAdminChallengeV2, { token, params: { id } })
  return result.kind === 'goodAdminChallenge' ? (result.data as Record<string, unknown>) : null
}

const makeWave = async (name: string, openAt: number | null, { contest: on, token } = here()) => {
  const made = await on.call(createWave, { token, body: { data: { name, openAt } } })
  if (made.kind !== 'goodWave') throw new Error(made.kind)
  return made.data.wave.id
}

const problemsOf = (result: { readonly data?: unknown }) =>
  (result.data as { problems: { reason: string }[] }).problems.map(({ reason }) => reason)

describe('waves and prerequisites', () => {
  test('are carried over by the name of the wave, whose time is that of the target', async () => {
    const waveId = await makeWave('Round 1', Date.UTC(2031, 1, 1))
    await put('gate', { category: 'waves' })
    await put('behind', { category: 'waves', waveId, prerequisites: ['gate'], lockedShown: true })
    const exported = await contest.call(exportChallengeArchive, {
      token: admin,
      query: { ids: 'behind,gate' },
    })
    const archive = Buffer.from(await (exported.data as unknown as Blob).arrayBuffer())
    await using fresh = await startContest()
    const there = { contest: fresh, token: (await fresh.admin()).token }
    expect(problemsOf(await send(archive, {}, there))).toEqual([
      'wave: there is no wave named Round 1; create it first',
    ])
    const other = await makeWave('Round 1', Date.UTC(2032, 1, 1), there)
    // `gate` comes after the challenge that requires it.
    expect((await send(archive, {}, there)).kind).toBe('goodChallengeArchiveImport')
    expect(await read('behind', there)).toMatchObject({
      waveId: other,
      releaseTime: Date.UTC(2032, 1, 1),
      prerequisites: ['gate'],
      lockedShown: true,
    })
    const again = await send(archive, {}, there)
    expect(again.data).toMatchObject({ challenges: [{ state: 'unchanged' }, { state: 'unchanged' }] })
    await there.contest.call(deleteWave, { token: there.token, params: { id: other } })
    expect(problemsOf(await send(archive, { dryRun: 'true' }, there))).toHaveLength(1)
  })

  test('an archive can turn a chain around, but not close a cycle', async () => {
    await put('one', { category: 'waves' })
    await put('two', { category: 'waves', prerequisites: ['one'] })
    await put('three', { category: 'waves', prerequisites: ['two'] })
    const turned = yamlZip({
      'waves/one/challenge.yaml': 'prerequisites: [two]',
      'waves/two/challenge.yaml': 'prerequisites: [three]',
      'waves/three/challenge.yaml': 'prerequisites: []',
    })
    expect((await send(await turned)).kind).toBe('goodChallengeArchiveImport')
    expect(await read('one')).toMatchObject({ prerequisites: ['two'] })
    const closed = yamlZip({ 'waves/three/challenge.yaml': 'prerequisites: [one]' })
    expect(problemsOf(await send(await closed))).toEqual([
      'prerequisites: are a cycle, which no team can open: three → one → two → three',
    ])
    const unknown = yamlZip({ 'waves/three/challenge.yaml': 'prerequisites: [nowhere]' })
    expect(problemsOf(await send(await unknown))).toEqual(['prerequisites: no such challenge: nowhere'])
    expect((await read('three'))?.['prerequisites']).toBeUndefined()
  })

  test('a challenge leaves its wave, and then has a time of its own', async () => {
    const waveId = await makeWave('Round 9', null)
    await put('leaver', { category: 'waves', waveId })
    const both = yamlZip({
      'waves/leaver/challenge.yaml': 'wave: Round 9\nreleaseTime: 2031-05-01T12:00:00Z',
    })
    expect(problemsOf(await send(await both))).toEqual([
      'releaseTime: is the time of the wave; leave it out, and move the wave to change it',
    ])
    const left = yamlZip({ 'waves/leaver/challenge.yaml': 'wave: null\nreleaseTime: 2031-05-01T12:00:00Z' })
    expect((await send(await left)).kind).toBe('goodChallengeArchiveImport')
    const challenge = await read('leaver')
    expect(challenge).toMatchObject({ releaseTime: Date.UTC(2031, 4, 1, 12), hidden: false })
    expect(challenge?.['waveId']).toBeUndefined()
  })
})
