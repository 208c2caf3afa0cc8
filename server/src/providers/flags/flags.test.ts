import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import { openTestDatabase } from '../../../test/database.ts'
import { recordLog } from '../../../test/log.ts'
import { createMintedFlags } from '../../features/contest/submissions/minted-flags.ts'
import { createRegexTester } from '../../lib/regex.ts'
import { flagProviders } from './all.ts'
import type { FlagEntry } from './flags.ts'
import type { Chance } from './minting.ts'
import { createFlags } from './registry.ts'

const regex = createRegexTester()
afterAll(() => regex.close())

const leetBase = 'flag{abcdefghijklmnopqrstuvwxyz}'

async function openFlags(chance: Chance = randomBytes) {
  const { db, ...database } = await openTestDatabase()
  await db.query(sql`insert into challenges (id) values ('c1'), ('c2')`)
  await db.query(sql`
    insert into teams (id, name, email, division)
    select 't' || n, 't' || n, 't' || n || '@teams.test', 'open' from generate_series(1, 30) as n`)
  const { log, lines } = recordLog()
  const flags = createFlags(flagProviders({ regex, minted: createMintedFlags(db), chance, log }))
  return { ...database, db, flags, lines }
}

const fixed = (flag: string): FlagEntry => ({ provider: 'flags/static', config: { flag } })
const pattern = (config: object): FlagEntry => ({ provider: 'flags/regex', config: { ...config } })
const dynamic = (config: object): FlagEntry => ({ provider: 'flags/dynamic', config: { ...config } })
const attempt = (text: string, teamId = 't1') => ({ challengeId: 'c1', teamId, text })

test('a static flag accepts only itself, byte for byte', async () => {
  await using opened = await openFlags()
  const entries = [fixed('flag{ünï}')]
  for (const wrong of ['', 'flag{ünï', 'flag{ünï}x', ' flag{ünï}', 'FLAG{ünï}', 'flag{u\u0308nï}']) {
    expect(await opened.flags.findMatch(entries, attempt(wrong)), wrong).toBeNull()
  }
  expect(await opened.flags.findMatch(entries, attempt('flag{ünï}'))).toEqual({
    index: 0,
    ...entries[0],
    cheatedFrom: null,
  })
})

test('returns the first entry that matches, and checks all others too', async () => {
  await using opened = await openFlags()
  const entries = [fixed('no'), pattern({ pattern: '^y' }), fixed('yes'), pattern({ pattern: '^(y+)+$' })]
  expect(await opened.flags.findMatch(entries, attempt('yes'))).toMatchObject({
    index: 1,
    provider: 'flags/regex',
  })
  // Evaluated although the second one had matched already.
  expect(await opened.flags.findMatch(entries, attempt(`${'y'.repeat(40)}!`))).toMatchObject({ index: 1 })
  expect(opened.lines).toMatchObject([{ level: 'warn', fields: { challengeId: 'c1' } }])
})

test('an entry of an unknown provider never matches', async () => {
  await using opened = await openFlags()
  const entries = [
    { provider: 'flags/old', config: { flag: 'x' } },
    { provider: 'flags/static', config: {} },
  ]
  expect(await opened.flags.findMatch(entries, attempt('x'))).toBeNull()
  expect(await opened.flags.findMatch([...entries, fixed('x')], attempt('x'))).toMatchObject({ index: 2 })
})

test('configurations are validated strictly', async () => {
  await using opened = await openFlags()
  const problemOf = async (entry: FlagEntry) => {
    const checked = await opened.flags.check(entry)
    return 'problem' in checked ? checked.problem : null
  }
  expect(await problemOf(fixed('x'))).toBeNull()
  expect(await problemOf(fixed(''))).toMatch(/^config\.flag: /)
  expect(await problemOf({ provider: 'flags/static', config: { flag: 'x', extra: 1 } })).toMatch(
    /^config: .*extra/,
  )
  expect(await problemOf({ provider: 'flags/none', config: {} })).toMatch(/^provider: .*flags\/static/)

  expect(await problemOf(pattern({ pattern: '^a$', flags: 'im', flagValue: 'A' }))).toBeNull()
  expect(await problemOf(pattern({ pattern: '(' }))).toMatch(/^config\.pattern: /)
  expect(await problemOf(pattern({ pattern: 'a', flags: 'ii' }))).toMatch(/^config\.flags: /)
  expect(await problemOf(pattern({ pattern: 'a', flags: 'uv' }))).toMatch(/^config\.flags: /)
  expect(await problemOf(pattern({ pattern: 'a', flags: 'x' }))).toMatch(/^config\.flags: /)
  expect(await problemOf(pattern({ pattern: '^a$', flagValue: 'b' }))).toMatch(/^config\.flagValue: /)
  expect(await problemOf(pattern({ pattern: '^(a+)+$', flagValue: `${'a'.repeat(40)}!` }))).toMatch(
    /too long/,
  )

  expect(await problemOf(dynamic({ base: 'flag{abc}' }))).toBeNull()
  expect(await problemOf(dynamic({ base: leetBase, mode: 'leet', exhaustion: 'duplicate' }))).toBeNull()
  expect(await problemOf(dynamic({ base: 'flag{abc}', mode: 'leet' }))).toMatch(/^config\.base: /)
  expect(await problemOf(dynamic({ base: 'flag' }))).toMatch(/^config\.base: /)
  expect(await problemOf(dynamic({ base: 'flag{a}', mode: 'none' }))).toMatch(/^config\.mode: /)
})

test('each kind describes its configuration', async () => {
  await using opened = await openFlags()
  expect(opened.flags.describe()).toMatchObject([
    { name: 'flags/static', schema: { required: ['flag'], additionalProperties: false } },
    { name: 'flags/regex', schema: { required: ['pattern'] } },
    { name: 'flags/dynamic', schema: { required: ['base'] } },
  ])
})

test('a team gets the concrete flags in the order of the entries, the same ones each time', async () => {
  await using opened = await openFlags()
  const flags = [
    dynamic({ base: 'flag{tail}' }),
    pattern({ pattern: 'x' }),
    pattern({ pattern: 'x', flagValue: 'x' }),
    fixed('flag{static}'),
  ]
  const first = await opened.flags.flagsForTeam({ id: 'c1', flags }, 't1')
  expect(first).toEqual([
    { provider: 'flags/dynamic', flag: expect.stringMatching(/^flag\{tail_[0-9a-f]{10}\}$/) },
    { provider: 'flags/regex', flag: 'x' },
    { provider: 'flags/static', flag: 'flag{static}' },
  ])
  expect(await opened.flags.flagsForTeam({ id: 'c1', flags }, 't1')).toEqual(first)
  const other = await opened.flags.flagsForTeam({ id: 'c1', flags }, 't2')
  expect(other[0]?.flag).not.toBe(first[0]?.flag)
})

test('concurrent requests generate one flag', async () => {
  await using opened = await openFlags()
  const flags = [dynamic({ base: leetBase })]
  const minted = await Promise.all(
    Array.from({ length: 8 }, () => opened.flags.flagsForTeam({ id: 'c1', flags }, 't1')),
  )
  expect(new Set(minted.map(([first]) => first?.flag)).size).toBe(1)
})

test('accepts a generated flag only for its challenge and base, and names its owner', async () => {
  await using opened = await openFlags()
  const flags = [dynamic({ base: leetBase })]
  const [mine] = await opened.flags.flagsForTeam({ id: 'c1', flags }, 't1')
  const text = mine!.flag
  expect(await opened.flags.findMatch(flags, attempt(text))).toMatchObject({ index: 0, cheatedFrom: null })
  expect(await opened.flags.findMatch(flags, attempt(text, 't2'))).toMatchObject({
    index: 0,
    cheatedFrom: 't1',
  })
  expect(await opened.flags.findMatch(flags, attempt(leetBase, 't9'))).toBeNull()
  expect(await opened.flags.findMatch([dynamic({ base: 'flag{other}' })], attempt(text))).toBeNull()
  expect(await opened.flags.findMatch(flags, { ...attempt(text), challengeId: 'c2' })).toBeNull()
})

test('when random variants run out, flags get a tail, or are duplicated if configured', async () => {
  // Constant bits: every draw collides, as if no variant were left. The count shows that some are.
  await using opened = await openFlags((count) => new Uint8Array(count))
  const tailed = [dynamic({ base: leetBase })]
  const [first] = await opened.flags.flagsForTeam({ id: 'c1', flags: tailed }, 't1')
  const [second] = await opened.flags.flagsForTeam({ id: 'c1', flags: tailed }, 't2')
  expect(first?.flag).toBe(leetBase)
  expect(second?.flag).toBe('flag{abcdefghijklmnopqrstuvwxyz_0000000000}')

  const doubled = [dynamic({ base: leetBase, exhaustion: 'duplicate' })]
  const [third] = await opened.flags.flagsForTeam({ id: 'c1', flags: doubled }, 't3')
  expect(third?.flag).toBe(leetBase)
  // The team's own flag comes first, even if another team got it earlier.
  expect(await opened.flags.findMatch(doubled, attempt(leetBase, 't3'))).toMatchObject({ cheatedFrom: null })
  expect(await opened.flags.findMatch(doubled, attempt(leetBase, 't4'))).toMatchObject({ cheatedFrom: 't1' })
})

test('four concurrent teams get four flags, even with little randomness', async () => {
  let calls = 0
  // Only two bits vary, so most draws collide.
  await using opened = await openFlags((count) => {
    calls += 1
    return new Uint8Array(count)
      .fill(0)
      .fill(calls & 1, 0, 1)
      .fill((calls >> 1) & 1, 1, 2)
  })
  const flags = [dynamic({ base: leetBase, exhaustion: 'tail' })]
  const minted = await Promise.all(
    Array.from({ length: 4 }, (_, n) => opened.flags.flagsForTeam({ id: 'c1', flags }, `t${n + 1}`)),
  )
  expect(new Set(minted.map(([first]) => first?.flag)).size).toBe(4)
})
