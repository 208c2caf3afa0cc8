import { expect, test } from 'vitest'
import { createLog } from './log.ts'
import type { Outside } from './outside.ts'

function record(isReadable: boolean) {
  const lines: string[] = []
  const outside = { print: (line: string) => void lines.push(line) } as Outside
  return { lines, log: createLog({ level: 'info', isReadable, outside }) }
}

test('secrets are hidden wherever they stand', () => {
  const { lines, log } = record(false)
  log.info(
    { token: 'a-secret', request: { headers: { authorization: 'a-secret', cookie: 'a-secret' } } },
    'x',
  )
  expect(lines.join()).not.toContain('a-secret')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ token: '[hidden]', msg: 'x' })
})

test('readable lines hold the time, the level, the message, the fields and the stack', () => {
  const { lines, log } = record(true)
  log.warn({ port: 80, err: new Error('broken') }, 'careful')
  log.debug({}, 'not this one')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d warn {2}careful port=80\nError: broken\n {4}at /)
})
