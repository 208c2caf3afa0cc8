import { expect, test } from 'vitest'
import { createLog } from './log.ts'
import type { ProcessContext } from './process-context.ts'

function record(isReadable: boolean) {
  const lines: string[] = []
  const context = { print: (line: string) => void lines.push(line) } as ProcessContext
  return { lines, log: createLog({ level: 'info', isReadable, context }) }
}

test('hides secrets in every position', () => {
  const { lines, log } = record(false)
  log.info(
    { token: 'a-secret', request: { headers: { authorization: 'a-secret', cookie: 'a-secret' } } },
    'x',
  )
  expect(lines.join()).not.toContain('a-secret')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ token: '[hidden]', msg: 'x' })
})

test('readable lines contain the time, the level, the message, the fields and the stack', () => {
  const { lines, log } = record(true)
  log.warn({ port: 80, err: new Error('broken') }, 'careful')
  log.debug({}, 'not this one')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d warn {2}careful port=80\n {2}Error: broken\n {6}at /)
})

test.each<[string, string]>([
  ['a terminal escape', '\u001b[2J\u001b]0;owned\u0007'],
  ['an 8-bit escape', '\u009b31m'],
  ['a forged line', 'x\r\n12:00:00 info  the admin signed in'],
  ['a backspace', 'x\b\b\u007f'],
  ['a change of direction', '\u202egnp.exe\u2066\u200f\u061c'],
  ['a line separator', 'a\u2028b\u2029c'],
])('readable lines escape %s in every position', (_name, text) => {
  const { lines, log } = record(true)
  log.warn({ reason: text, nested: { [text]: text }, [text]: 1, err: new Error(text) }, text)
  const [line = ''] = lines
  expect(line).not.toMatch(/[^\P{Cc}\n]|[\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u)
  // Only the error spans several lines, and they are indented.
  expect(
    line
      .split('\n')
      .slice(1)
      .filter((each) => !each.startsWith('  ')),
  ).toEqual([])
  expect(line).toContain(String.raw`\u`)
})

test('JSON lines are valid JSON', () => {
  const { lines, log } = record(false)
  log.warn({ reason: 'a\nb\u001b' }, 'x')
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ reason: 'a\nb\u001b' })
  expect(lines[0]).not.toMatch(/\p{Cc}/u)
})
