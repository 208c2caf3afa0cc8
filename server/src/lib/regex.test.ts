import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { UnavailableError } from './errors.ts'
import { createRegexTester, type RegexTester } from './regex.ts'

function openTester(options?: Parameters<typeof createRegexTester>[0]): RegexTester & AsyncDisposable {
  const tester = createRegexTester(options)
  return { ...tester, [Symbol.asyncDispose]: () => tester.close() }
}

test('matches anywhere in the text, with flags', async () => {
  await using tester = openTester()
  const ask = (pattern: string, flags: string, text: string) => tester.test({ pattern, flags, text })
  expect(await ask('b+', '', 'aabbcc')).toBe(true)
  expect(await ask('^b', '', 'aabbcc')).toBe(false)
  expect(await ask('B', 'i', 'aabbcc')).toBe(true)
  expect(await ask('^..$', 'u', '😀😀')).toBe(true)
  expect(await ask('^.$', 's', '\n')).toBe(true)
})

test('a global or sticky pattern keeps no lastIndex between texts', async () => {
  await using tester = openTester()
  for (const flags of ['g', 'y', 'gy', 'dg']) {
    for (let time = 0; time < 3; time++) {
      expect(await tester.test({ pattern: 'ab', flags, text: 'ab' })).toBe(true)
    }
  }
})

test('an invalid or too large pattern matches nothing', async () => {
  await using tester = openTester()
  expect(await tester.test({ pattern: '(', flags: '', text: '(' })).toBe(false)
  expect(await tester.test({ pattern: '((((a{999}){999}){999}){999}){999}', flags: '', text: 'a' })).not.toBe(
    true,
  )
  expect(await tester.test({ pattern: 'a', flags: '', text: 'a' })).toBe(true)
})

// Patterns and texts with catastrophic backtracking, one for each cause.
const endless: readonly (readonly [string, string])[] = [
  ['^(a+)+$', `${'a'.repeat(40)}!`],
  ['^(a|aa)+$', `${'a'.repeat(80)}!`],
  ['^(a|a?)+$', `${'a'.repeat(60)}!`],
  ['^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}$', 'a'.repeat(60)],
  ['(.*a){25}$', 'a'.repeat(60)],
  ['^(?=(a+)+$)b', `${'a'.repeat(40)}!`],
  ['^flag\\{(\\w+\\s?)*\\}$', `flag{${'a'.repeat(50)}`],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(60)],
]

test('times out on catastrophic backtracking without blocking the event loop', async () => {
  await using tester = openTester()
  let isDone = false
  let turns = 0
  async function count(): Promise<void> {
    while (!isDone) {
      await turn()
      turns += 1
    }
  }
  const counting = count()
  for (const [pattern, text] of endless) {
    const before = turns
    expect(await tester.test({ pattern, flags: '', text }), pattern).toBeNull()
    // A blocked event loop would make one turn; a free one makes thousands in 50 ms.
    expect(turns - before, pattern).toBeGreaterThan(50)
    // The replacement thread works.
    expect(await tester.test({ pattern: '^a+$', flags: '', text: 'aaa' })).toBe(true)
  }
  isDone = true
  await counting
})

test('matches queued behind one that times out run in order', async () => {
  await using tester = openTester()
  const done: string[] = []
  const ask = async (name: string, text: string) => {
    const matches = await tester.test({ pattern: '^(a+)+$', flags: '', text })
    done.push(`${name} ${matches}`)
  }
  await Promise.all([
    ask('first', 'aa'),
    ask('second', `${'a'.repeat(40)}!`),
    ask('third', 'b'),
    ask('fourth', 'a'),
  ])
  expect(done).toEqual(['first true', 'second null', 'third false', 'fourth true'])
})

test('patterns with one budget share its time', async () => {
  await using tester = openTester()
  const budget = { leftMs: 50 }
  const slow = (lane: string) =>
    tester.test({ pattern: '^(a+)+$', flags: '', text: `${'a'.repeat(40)}!`, lane, budget })
  const right = (given: { leftMs: number }) =>
    tester.test({ pattern: '^a$', flags: '', text: 'a', lane: 'x', budget: given })
  expect(await right(budget)).toBe(true)
  expect(await Promise.all([slow('x'), slow('y')])).toEqual([null, null])
  expect(budget.leftMs).toBeLessThanOrEqual(0)
  // Without another try: its time is used up.
  expect(await right(budget)).toBeNull()
  expect(await right({ leftMs: 50 })).toBe(true)
})

test('another challenge waits for a turn, not for all slow patterns', async () => {
  await using tester = openTester()
  const done: string[] = []
  const ask = async (lane: string, pattern: string) => {
    await tester.test({ pattern, flags: '', text: `${'a'.repeat(40)}!`, lane })
    done.push(lane)
  }
  const slow = Array.from({ length: 6 }, (_, n) => ask('slow', `^(a+)+${n}$`))
  await Promise.all([...slow, ask('other', '^a')])
  // The first was tried before the others came.
  expect(done.indexOf('other')).toBeLessThanOrEqual(2)
})

test('rejects matches when the queue is full', async () => {
  await using tester = openTester({ maxQueue: 2 })
  const ask = () => tester.test({ pattern: 'a', flags: '', text: 'a' })
  const asked = [ask(), ask(), ask()]
  await expect(ask()).rejects.toThrow(UnavailableError)
  expect(await Promise.all(asked)).toEqual([true, true, true])
})
