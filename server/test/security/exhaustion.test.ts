import { uploadFilesV2 } from '@pennant/contract/uploads.ts'
import { registerV2 } from '@pennant/contract/accounts.ts'
import { getClientConfigV2 } from '@pennant/contract/client-config.ts'
import { getLeaderboardV2 } from '@pennant/contract/leaderboard.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addBotChallenge, botConfig, submit } from '../bot-contest.ts'
import { putChallenge } from '../contest-data.ts'
import { challengeRow } from '../contest-rows.ts'
import { startContest, type Contest } from '../harness.ts'

// Field survey, S11: no request is so dear that others wait for it. Bodies that never come: http/time-limits.test.ts.

/** Patterns that take exponential or high polynomial time, each with a text that makes it. */
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

/** Counts the turns of the event loop while the work runs. */
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

test('patterns of flags that never end are wrong flags, and nobody waits for them', async () => {
  const { token } = await contest.team()
  const { result, turns } = await turnsDuring(
    Promise.all([
      ...ENDLESS.map(([, flag], number) =>
        contest.call(submitFlag, { token, params: { id: `regex-${number}` }, body: { flag } }),
      ),
      // The API itself goes on: this would wait until all patterns have been tried.
      ...Array.from({ length: 20 }, () => contest.call(getClientConfigV2, {})),
    ]),
  )
  const kinds = result.map(({ kind }) => kind)
  expect(kinds.slice(0, ENDLESS.length)).toEqual(ENDLESS.map(() => 'badFlag'))
  expect(new Set(kinds.slice(ENDLESS.length))).toEqual(new Set(['goodClientConfig']))
  expect(turns).toBeGreaterThan(ENDLESS.length * 5)
})

test('patterns of inputs that never end refuse the input', async () => {
  const team = await contest.team()
  const { result, turns } = await turnsDuring(
    Promise.all(
      ENDLESS.map(([, url], number) => submit(contest, team, { id: `bot-${number}`, inputs: { url } })),
    ),
  )
  expect(result.map(({ kind }) => kind)).toEqual(ENDLESS.map(() => 'badAdminBotConfig'))
  expect(turns).toBeGreaterThan(ENDLESS.length * 5)
})

test('searches are texts and no patterns', async () => {
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

describe('text without end', () => {
  const long = 1_000_000
  const shapes = {
    'all one letter': 'a'.repeat(long),
    dots: `${'a.'.repeat(long / 2)}@x.org`,
    'signs of addresses': '@'.repeat(long),
    labels: `a@${'a.'.repeat(long / 2)}org`,
    hyphens: `a@${'a-'.repeat(long / 2)}.org`,
    'white space': `a${' '.repeat(long)}a`,
    'white space before': `${' '.repeat(long)}a`,
  }
  test.each(Object.entries(shapes))('of %s is no address and no name', async (_name, text) => {
    expect(await contest.call(registerV2, { body: { name: 'long', email: text } })).toMatchObject({
      kind: 'badEmail',
    })
    expect(await contest.call(registerV2, { body: { name: text, email: 'a@x.org' } })).toMatchObject({
      kind: 'badName',
    })
  })
})

describe('a body', () => {
  const post = async (body: string) => {
    const response = await fetch(`${contest.url}${registerV2.path}`, { method: 'POST', body })
    return ((await response.json()) as { kind: string }).kind
  }

  test('of deep JSON is refused', async () => {
    for (const depth of [65, 1000, 100_000, 500_000]) {
      const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`
      expect(await post(`{"name":"x","email":"a@x.org","x":${nested}}`), String(depth)).toMatch(
        /^bad(?:Body|Json)$/,
      )
    }
  })

  test('of many keys and items is refused for what it lacks', async () => {
    const keys = Array.from({ length: 80_000 }, (_, number) => `"${number}":0`).join()
    expect(await post(`{${keys}}`)).toBe('badBody')
    expect(await post(`{"name":[${'0,'.repeat(400_000)}0]}`)).toBe('badBody')
  })
})

test('a form of many parts is refused', async () => {
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
