import { expect, test } from 'vitest'
import { NEW_DRAFT } from '../draft.ts'
import { findingsOf } from './readiness.ts'

const EXAMPLE = 'flag{...}'
const exact = (flag: string) => ({ provider: 'flags/static', config: { flag } })
const unmet = (...of: Parameters<typeof findingsOf>) =>
  findingsOf(...of).flatMap(({ id, isMet }) => (isMet ? [] : [id]))

test('a new challenge lacks a name, a category, a description and a flag', () => {
  expect(unmet(NEW_DRAFT, EXAMPLE)).toEqual(['name', 'category', 'description', 'flag'])
})

test('exact flags are compared with the format of the event', () => {
  const draft = { ...NEW_DRAFT, name: 'Cabin', category: 'web', description: 'Look!' }
  expect(unmet({ ...draft, flags: [exact('flag{cabin}')] }, EXAMPLE)).toEqual([])
  expect(unmet({ ...draft, flags: [exact('flag{cabin}'), exact('cabin')] }, EXAMPLE)).toEqual(['flagFormat'])
  expect(unmet({ ...draft, flags: [exact('flag{cabin')] }, EXAMPLE)).toEqual(['flagFormat'])
})

test('without a format, and for patterns, no format is expected', () => {
  const pattern = { provider: 'flags/regex', config: { pattern: 'cabin' } }
  const ids = (...of: Parameters<typeof findingsOf>) => findingsOf(...of).map(({ id }) => id)
  expect(ids({ ...NEW_DRAFT, flags: [exact('cabin')] }, '')).not.toContain('flagFormat')
  expect(ids({ ...NEW_DRAFT, flags: [pattern] }, EXAMPLE)).not.toContain('flagFormat')
})

test('a challenge scored live needs no flag', () => {
  const source = { transport: 'webhook', secret: 'a secret' } as const
  const live = { ...NEW_DRAFT, scoring: { kind: 'dynamic', source } as const }
  expect(unmet(live, EXAMPLE)).not.toContain('flag')
})
