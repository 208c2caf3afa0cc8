import { expect, test } from 'vitest'
import { bodyOf, draftOf, idFor, NEW_DRAFT, type AdminChallenge } from '../draft.ts'
import { changedFields, merge, rebased } from './merge.ts'

const base = { ...NEW_DRAFT, name: 'Anchor', points: { min: 1, max: 2 } }

test('changes to different fields are merged', () => {
  const yours = { ...base, name: 'Anchors' }
  const theirs = { ...base, points: { min: 1, max: 3 } }
  expect(merge(base, yours, theirs)).toEqual({
    draft: { ...base, name: 'Anchors', points: { min: 1, max: 3 } },
    conflicts: [],
    taken: ['points'],
  })
})

test('two changes to one field conflict unless they are equal', () => {
  const yours = { ...base, name: 'A', author: 'x' }
  const theirs = { ...base, name: 'B', author: 'x' }
  const { draft, conflicts, taken } = merge(base, yours, theirs)
  expect(conflicts).toEqual([{ field: 'name', yours: 'A', theirs: 'B' }])
  expect(draft.name).toBe('A')
  expect(taken).toEqual([])
})

test('a reverted change takes the stored value', () => {
  const theirs = { ...base, name: 'B' }
  expect(merge(base, { ...base }, theirs).draft).toEqual(theirs)
})

test('an unchanged draft follows the stored version', () => {
  const stored = { ...base, hidden: false, name: 'B' }
  expect(rebased({ id: 'a', base, draft: base }, stored)).toEqual({ id: 'a', base: stored, draft: stored })
  const work = { base, draft: { ...base, name: 'A' } }
  expect(rebased(work, { ...base })).toBe(work)
})

test('a changed draft takes the other stored fields, and saving still reports the conflict', () => {
  const draft = { ...base, name: 'A', author: 'x' }
  const stored = { ...base, name: 'B', hidden: false }
  const now = rebased({ base, draft }, stored)
  expect(now.draft).toEqual({ ...draft, hidden: false })
  expect(changedFields(now.base, now.draft)).toEqual(['name', 'author'])
  expect(merge(now.base, now.draft, stored).conflicts).toEqual([{ field: 'name', yours: 'A', theirs: 'B' }])
})

test('only the named fields are sent, and only the code of the bot', () => {
  const after = { ...base, adminBotCode: 'code', tags: ['x'] }
  expect(changedFields(base, after)).toEqual(['tags', 'adminBotCode'])
  expect(bodyOf(after, changedFields(base, after))).toEqual({
    tags: ['x'],
    adminBotConfig: { code: 'code' },
  })
  expect(bodyOf(base, ['adminBotCode'])).toEqual({ adminBotConfig: null })
})

test('a draft contains the editable fields only', () => {
  const { adminBotCode: _, ...written } = base
  const challenge: AdminChallenge = {
    ...written,
    tiebreakEligible: true,
    id: 'a',
    flag: 'flag{a}',
    sortWeight: 3,
    adminBotConfig: {
      code: 'code',
      inputs: {},
      revision: 'r',
      timeoutMilliseconds: 1,
      requireInstancerInstancesRunning: false,
    },
  }
  expect(draftOf(challenge)).toEqual({ ...base, adminBotCode: 'code' })
})

test('IDs contain only ASCII letters, digits and hyphens', () => {
  expect(idFor('Web', ' Ärger & Söhne! ')).toBe('web-a-rger-so-hne')
  expect(idFor('', '!?')).toBe('')
})
