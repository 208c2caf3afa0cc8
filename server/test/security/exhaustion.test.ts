import { uploadFilesV2 } from '@pennant/contract/uploads.ts'
import { registerV2 } from '@pennant/contract/accounts.ts'
import { getClientConfigV2 } from '@pennant/contract/client-config.ts'
import { getLeaderboardV2 } from '@pennant/contract/leaderboard.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { setEmailV2, updateProfileV2 } from '@pennant/contract/teams.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addBotChallenge, botConfig, submit } from '../bot-contest.ts'
import { putChallenge } from '../contest-data.ts'
import { challengeRow } from '../contest-rows.ts'
import { startContest, type Contest } from '../harness.ts'

// Class S11 (README.md): no request is so expensive that other requests wait for it. For incomplete bodies
// see http/request/time-limits.test.ts.

/** Patterns that take exponential or high polynomial time, each with a text that triggers it. */
const ENDLESS: readonly (readonly [pattern: string, text: string])[] = [
  ['^(a+)+$', `${'a'.repeat(60)}!`],
  ['^(a|a)*$', `${'a'.repeat(60)}!`],
  ['^(a|aa)+$', `${'a'.repeat(120)}!`],
  ['^([a-z]+)*\\d$', 'a'.repeat(60)],
  ['^(.*a){25}$', `${'a'.repeat(60)}!`],
  ['^flag\\{(\\w+\\s?)*\\}$', `flag{${'a'.repeat(60)}!`],
  ['(x+x+)+y', 'x'.repeat(60)],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(60)],
]

let contest: Contest
beforeAll(async () => {
  contest = await startContest({ config: botConfig })
  for (const [number, [pattern]] of ENDLESS.entries()) {
    const flags = [{ provider: 'flags/regex', config: { pattern } }]
    await putChallenge(contest.db, challengeRow(`regex-${number}`, { flags }))
    await addBotChallenge(contest, `bot-${number}`, { inputs: { url: { pattern } } })
  }
})
afterAll(() => contest[Symbol.asyncDispose]())

/** Counts event loop turns while the work runs. */
async function turnsDuring<T>(work: Promise<T>): Promise<{ readonly result: T; readonly turns: number }> {
  let turns = 0
  let isOver = false
  const turn = () => {
    turns += 1
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  try {
    return { result: await work, turns }
  } finally {
    isOver = true
  }
}

test('a flag pattern that never terminates does not match and blocks no other request', async () => {
  const { token } = await contest.team()
  const { result, turns } = await turnsDuring(
    Promise.all([
      ...ENDLESS.map(([, flag], number) =>
        contest.call(submitFlag, { token, params: { id: `regex-${number}` }, body: { flag } }),
      ),
      // The API stays responsive: otherwise these calls would wait until all patterns were tried.
      ...Array.from({ length: 20 }, () => contest.call(getClientConfigV2, {})),
    ]),
  )
  const kinds = result.map(({ kind }) => kind)
  expect(kinds.slice(0, ENDLESS.length)).toEqual(ENDLESS.map(() => 'badFlag'))
  expect(new Set(kinds.slice(ENDLESS.length))).toEqual(new Set(['goodClientConfig']))
  expect(turns).toBeGreaterThan(ENDLESS.length * 5)
})

test('input patterns that never terminate refuse the input', async () => {
  const team = await contest.team()
  const { result, turns } = await turnsDuring(
    Promise.all(
      ENDLESS.map(([, url], number) => submit(contest, team, { id: `bot-${number}`, inputs: { url } })),
    ),
  )
  expect(result.map(({ kind }) => kind)).toEqual(ENDLESS.map(() => 'badAdminBotConfig'))
  expect(turns).toBeGreaterThan(ENDLESS.length * 5)
})

test('searches are plain text, not patterns', async () => {
  await contest.team('a{1,9}+ (team)')
  for (const [search, total] of [
    ['(a+)+$', 0],
    ['.*', 0],
    ['%%', 0],
    ['__', 0],
    ['{1,9}+', 1],
    ['\\w', 0],
  ] as const) {
    contest.clock.advance(1000)
    const query = { limit: '10', offset: '0', search }
    const { data } = await contest.call(getLeaderboardV2, { query })
    expect(data, search).toMatchObject({ total: expect.any(Number) })
    expect((data as { total: number }).total, search).toBeLessThanOrEqual(total)
  }
})

describe('very long text', () => {
  const shapes: Readonly<Record<string, (length: number) => string>> = {
    'all one letter': (length) => 'a'.repeat(length),
    dots: (length) => `${'a.'.repeat(length / 2)}@x.org`,
    'signs of addresses': (length) => '@'.repeat(length),
    labels: (length) => `a@${'a.'.repeat(length / 2)}org`,
    hyphens: (length) => `a@${'a-'.repeat(length / 2)}.org`,
    'white space': (length) => `a${' '.repeat(length)}a`,
    'white space before': (length) => `${' '.repeat(length)}a`,
  }
  test.each(Object.entries(shapes))(
    'of %s is neither a valid address nor a valid name',
    async (_name, textOf) => {
      const { token } = await contest.team()
      // As long as the body may be, and far beyond.
      for (const [length, email, name] of [
        [4_000, 'badEmail', 'badName'],
        [1_000_000, 'badBodySize', 'badBodySize'],
      ] as const) {
        const text = textOf(length)
        expect((await contest.call(setEmailV2, { token, body: { email: text } })).kind).toBe(email)
        expect((await contest.call(updateProfileV2, { token, body: { name: text } })).kind).toBe(name)
      }
    },
  )

  test('is refused without a token', async () => {
    const body = { name: 'a'.repeat(16 * 1024), email: 'a@x.org' }
    const { kind, data } = await contest.call(registerV2, { body })
    expect([kind, data]).toEqual(['badBodySize', { maxSize: 16 * 1024 }])
  })
})

describe('a body', () => {
  const patch = async (body: string) => {
    const { token } = await contest.team()
    const headers = { authorization: `Bearer ${token}` }
    const init = { method: updateProfileV2.method, headers, body }
    const response = await fetch(`${contest.url}${updateProfileV2.path}`, init)
    return ((await response.json()) as { kind: string }).kind
  }

  test('with deeply nested JSON is refused', async () => {
    for (const depth of [65, 1000, 100_000, 500_000]) {
      const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`
      const kind = depth > 1000 ? 'badBodySize' : 'badBody'
      expect(await patch(`{"name":"xx","x":${nested}}`), String(depth)).toBe(kind)
    }
  })

  test('with many keys and items is refused for its invalid field', async () => {
    for (const [count, kind] of [
      [300, 'badBody'],
      [80_000, 'badBodySize'],
    ] as const) {
      const keys = Array.from({ length: count }, (_, number) => `"${number}":0`).join()
      expect(await patch(`{"name":7,${keys}}`)).toBe(kind)
      expect(await patch(`{"name":[${'0,'.repeat(count)}0]}`)).toBe(kind)
    }
  })
})

test('a form with many parts is refused', async () => {
  const { token } = await contest.admin()
  for (const make of [
    (form: FormData, number: number) => form.append('files', new Blob(['x']), `${number}.txt`),
    (form: FormData, number: number) => form.append(`field ${number}`, 'x'),
  ]) {
    const form = new FormData()
    for (let number = 0; number < 1500; number++) make(form, number)
    expect(await contest.call(uploadFilesV2, { token, form })).toMatchObject({ kind: 'badBody' })
  }
})
