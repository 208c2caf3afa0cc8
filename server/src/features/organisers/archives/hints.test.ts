import { putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { exportChallengeArchive, importChallengeArchive } from '@pennant/contract/challenge-archive.ts'
import {
  buyHint,
  createHint,
  deleteHint,
  listAdminHints,
  listHints,
  releaseHint,
} from '@pennant/contract/hints.ts'
import { createScoreAdjustment } from '@pennant/contract/score-adjustments.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { zipOf } from '../../../../test/zips.ts'

let contest: Contest
let admin: Member
beforeAll(async () => {
  contest = await startContest()
})
// Each test is another organiser, because imports are limited.
beforeEach(async () => {
  admin = await contest.admin()
})
afterAll(() => contest[Symbol.asyncDispose]())

interface Where {
  readonly contest: Contest
  readonly token: string
}

const here = (): Where => ({ contest, token: admin.token })

function send(archive: Buffer, query: { dryRun?: 'true'; plan?: string } = {}, where = here()) {
  const form = new FormData()
  form.append('archive', new File([new Uint8Array(archive)], 'challenges.zip'))
  return where.contest.call(importChallengeArchive, { token: where.token, query, form })
}

const yamlOf = (id: string, text: string) => zipOf([{ name: `hints/${id}/challenge.yaml`, content: text }])

async function exported(ids: string, where = here()): Promise<Buffer> {
  const result = await where.contest.call(exportChallengeArchive, { token: where.token, query: { ids } })
  return Buffer.from(await (result.data as unknown as Blob).arrayBuffer())
}

async function put(id: string): Promise<void> {
  const body = { data: { category: 'hints', hidden: false } }
  const result = await contest.call(putChallengeV2, { token: admin.token, params: { id }, body })
  expect(result.kind).toBe('goodChallengeUpdateV2')
}

async function add(id: string, data: Parameters<typeof contest.call<typeof createHint>>[1]['body']['data']) {
  const made = await contest.call(createHint, { token: admin.token, params: { id }, body: { data } })
  if (made.kind !== 'goodAdminHint') throw new Error(made.kind)
  return made.data.hint.id
}

async function hintsOf(id: string, { contest: from, token } = here()) {
  const listed = await from.call(listAdminHints, { token, params: { id } })
  return listed.kind === 'goodAdminHints' ? listed.data.hints : []
}

const problemsOf = (result: { readonly data?: unknown }) =>
  (result.data as { problems: { reason: string }[] }).problems.map(({ reason }) => reason)
const stateOf = (result: { readonly data?: unknown }) =>
  (result.data as { challenges: { state: string; fields: string[] }[] }).challenges[0]

async function buy(challengeId: string, hintId: string, price: number): Promise<Member> {
  const team = await contest.team()
  const data = { userId: team.id, points: 500, reason: 'A gift' }
  await contest.call(createScoreAdjustment, { token: admin.token, body: { data } })
  const result = await contest.call(buyHint, {
    token: team.token,
    params: { id: challengeId, hintId },
    body: { price },
  })
  expect(result.kind).toBe('goodHint')
  return team
}

describe('hints in an archive', () => {
  test('an export, imported into an empty instance, is the same export again', async () => {
    await put('full')
    await add('full', { text: 'First, with *Markdown*\n\nand lines ', price: 0 })
    await add('full', { text: 'x'.repeat(5000), price: 50, release: { kind: 'after', minutes: 30 } })
    await add('full', { text: 'Third', price: 9, release: { kind: 'time', at: Date.UTC(2031, 0, 1) } })
    const archive = await exported('full')
    await using fresh = await startContest()
    const there = { contest: fresh, token: (await fresh.admin()).token }
    expect((await send(archive, {}, there)).kind).toBe('goodChallengeArchiveImport')
    expect(await hintsOf('full', there)).toMatchObject([
      { text: 'First, with *Markdown*\n\nand lines ', price: 0, release: { kind: 'manual' } },
      { text: 'x'.repeat(5000), price: 50, release: { kind: 'after', minutes: 30 } },
      { text: 'Third', price: 9, release: { kind: 'time', at: Date.UTC(2031, 0, 1) } },
    ])
    expect((await exported('full', there)).equals(archive)).toBe(true)
    expect(stateOf(await send(archive, { dryRun: 'true' }, there))).toMatchObject({ state: 'unchanged' })
  })

  test('a challenge without the key keeps its hints; an empty list deletes them', async () => {
    await put('kept')
    await add('kept', { text: 'stays' })
    await send(await yamlOf('kept', 'author: eve'))
    expect(await hintsOf('kept')).toHaveLength(1)
    const emptied = await send(await yamlOf('kept', 'hints: []'))
    expect(stateOf(emptied)).toMatchObject({ state: 'changed', fields: ['hints'] })
    expect(await hintsOf('kept')).toEqual([])
  })

  test('equal texts are the same hint: order, price and text change, a release by hand stays', async () => {
    await put('edited')
    const first = await add('edited', { text: 'first' })
    const second = await add('edited', { text: 'second', price: 10 })
    const third = await add('edited', { text: 'third' })
    await contest.call(releaseHint, { token: admin.token, params: { id: first } })
    const text =
      'hints: [{ text: third, price: 5 }, { text: second (clearer), price: 10 }, { text: first }, { text: new }]'
    expect((await send(await yamlOf('edited', text))).kind).toBe('goodChallengeArchiveImport')
    const hints = await hintsOf('edited')
    expect(hints.map(({ id, text: shown, price }) => [id, shown, price])).toEqual([
      [third, 'third', 5],
      [second, 'second (clearer)', 10],
      [first, 'first', 0],
      [expect.any(String), 'new', 0],
    ])
    expect(hints[2]).toMatchObject({ release: { kind: 'manual' }, releaseAt: contest.clock.now() })
    expect(hints[3]?.releaseAt).toBeNull()
    expect(stateOf(await send(await yamlOf('edited', text)))).toMatchObject({ state: 'unchanged' })
  })

  test('never deletes or replaces by accident what teams have bought', async () => {
    await put('bought')
    const release = { kind: 'after', minutes: 0 } as const
    const cheap = await add('bought', { text: 'cheap', price: 10, release })
    const dear = await add('bought', { text: 'dear', price: 100, release })
    const buyer = await buy('bought', dear, 100)
    const problem =
      'hints: teams bought hint 2 of the site, whose text is missing here; keep it, or delete it on the site, with a refund'
    const refused = [
      'hints: []',
      'hints: [{ text: cheap, price: 10, release: { after: 0 } }]',
      'hints: [{ text: new }, { text: cheap }, { text: changed }]',
    ]
    for (const text of refused) {
      const result = await send(await yamlOf('bought', text))
      expect([result.kind, problemsOf(result)]).toEqual(['badChallengeArchive', [problem]])
    }
    // One for one: the text of the same hint.
    const clear = 'hints: [{ text: clearer, price: 100, release: { after: 0 } }]'
    await contest.call(deleteHint, { token: admin.token, params: { id: cheap }, query: {} })
    expect((await send(await yamlOf('bought', clear))).kind).toBe('goodChallengeArchiveImport')
    const seen = await contest.call(listHints, { token: buyer.token, params: { id: 'bought' } })
    expect(seen.data).toMatchObject({ hints: [{ id: dear, bought: true, text: 'clearer' }] })
  })

  test('a plan is refused once a hint has changed', async () => {
    await put('raced')
    await add('raced', { text: 'one' })
    const archive = await yamlOf('raced', 'hints: [{ text: two }]')
    const { plan } = (await send(archive, { dryRun: 'true' })).data as { plan: string }
    await add('raced', { text: 'three' })
    expect((await send(archive, { plan })).kind).toBe('badChallengeArchivePlan')
    expect((await hintsOf('raced')).map(({ text }) => text)).toEqual(['one', 'three'])
  })

  test('every wrong value is reported at its field', async () => {
    const results = await Promise.all(
      [
        'hints: [{ text: { file: none.md } }]',
        'hints: [{ text: " " }]',
        'hints: [{ text: a, price: -1 }]',
        'hints: [{ text: a, cost: 1 }]',
        'hints: [{ text: a, release: { at: tomorrow } }]',
        'hints: [a]',
      ].map(async (text) => problemsOf(await send(await yamlOf('wrong', text), { dryRun: 'true' }))[0]),
    )
    expect(results).toEqual([
      'hints.0.text: none.md: there is no such file',
      'hints.0.text: must not be empty',
      expect.stringContaining('hints.0.price'),
      'hints.0: has unknown keys: cost',
      expect.stringContaining('hints.0.release'),
      expect.stringContaining('hints.0'),
    ])
  })
})
