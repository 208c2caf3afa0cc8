import { expect, test } from 'vitest'
import { attachment } from './attachment.ts'

test.each([
  ['a b(1).txt', 'attachment; filename="a b(1).txt"'],
  ['a"b".txt', `attachment; filename="a_b_.txt"; filename*=UTF-8''a%22b%22.txt`],
  ['100%25;\\', `attachment; filename="100_25;_"; filename*=UTF-8''100%2525%3B%5C`],
  ["ü '(*).txt", `attachment; filename="_ '(*).txt"; filename*=UTF-8''%C3%BC%20%27%28%2A%29.txt`],
  ['🚩', `attachment; filename="_"; filename*=UTF-8''%F0%9F%9A%A9`],
  [
    'a\r\nset-cookie: b',
    `attachment; filename="a__set-cookie: b"; filename*=UTF-8''a%0D%0Aset-cookie%3A%20b`,
  ],
])('%j has a header that every client can read', (name, header) => {
  expect(attachment(name)).toBe(header)
})
