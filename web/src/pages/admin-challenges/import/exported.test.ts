import { expect, test } from 'vitest'
import { NEW_DRAFT, type AdminChallenge } from '../draft.ts'
import { exportedText, importedFrom } from './exported.ts'
import { freeId } from '../free-id.ts'

const { adminBotCode: _, ...written } = NEW_DRAFT
const challenge: AdminChallenge & { solveCount: number } = {
  ...written,
  tiebreakEligible: true,
  id: 'web-shop',
  name: 'Shop',
  flag: 'flag{x}',
  flags: [{ provider: 'flags/static', config: { flag: 'flag{x}' } }],
  files: [{ name: 'a.zip', url: `/uploads/${'a'.repeat(64)}/a.zip`, size: 3 }],
  sortWeight: 7,
  adminBotConfig: null,
  scoring: { kind: 'dynamic', source: { transport: 'webhook', secret: 'not for files' } },
  solveCount: 12,
}

test('an exported file contains neither counts nor the secret, and can be imported', () => {
  const text = exportedText(challenge)
  expect(text).not.toContain('not for files')
  expect(text).not.toContain('solveCount')
  expect(importedFrom(text, 'new')).toEqual({
    id: 'web-shop',
    draft: {
      ...NEW_DRAFT,
      name: 'Shop',
      flags: challenge.flags,
      files: challenge.files,
      scoring: { kind: 'dynamic', source: { transport: 'webhook', secret: 'new' } },
    },
  })
})

test('missing fields get the defaults of a new challenge', () => {
  expect(importedFrom('{"id":"a","name":"A"}', '')).toEqual({ id: 'a', draft: { ...NEW_DRAFT, name: 'A' } })
})

test.each(['', '[]', 'null', '{}', '{"id":"a"}', '{"id":"","name":"A"}', '{"id":"a","name":"A","files":{}}'])(
  '%s is not a challenge',
  (text) => expect(importedFrom(text, '')).toBeNull(),
)

test('files must have a name and a URL', () => {
  expect(importedFrom('{"id":"a","name":"A","files":[null]}', '')).toBeNull()
  expect(importedFrom('{"id":"a","name":"A","files":[{"name":"a"}]}', '')).toBeNull()
})

test('a copy gets the next free id', () => {
  expect(freeId('a', new Set(['a']))).toBe('a-2')
  expect(freeId('a-2', new Set(['a', 'a-2']))).toBe('a-3')
})
