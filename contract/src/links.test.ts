import { expect, test } from 'vitest'
import { isLink } from './fields.ts'

test.each([
  ['/uploads/a.zip', true],
  ['https://files.example/a.zip', true],
  ['HTTP://files.example', true],
  ['//files.example/a', true],
  ['a.zip', true],
  ['', true],
  ['javascript:alert(1)', false],
  [' JAVA\nscript:alert(1)', false],
  ['\u0001javascript:alert(1)', false],
  ['data:text/html,x', false],
  ['vbscript:x', false],
  ['file:///etc/passwd', false],
  ['blob:https://ctf.example/1', false],
  ['https://', false],
])('whether a page may link to %j: %s', (text, expected) => {
  expect(isLink(text)).toBe(expected)
})
