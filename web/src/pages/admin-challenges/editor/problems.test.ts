import { expect, test } from 'vitest'
import { DRAFT_FIELDS, NEW_DRAFT } from '../draft.ts'
import { problemsOf, refusedField, SECTION_FIELDS } from './problems.ts'
import { NO_TIME } from '../release/release.ts'

const messages = {
  releaseMissing: 'time',
  wholeNumber: 'whole',
  minAboveMax: 'above',
  secretMissing: 'secret',
}

test('each field is in exactly one section', () => {
  expect(Object.values(SECTION_FIELDS).flat().toSorted()).toEqual(DRAFT_FIELDS.toSorted())
})

test('an error response is mapped to the field that it refers to', () => {
  const badBody = (reason: string) => refusedField({ kind: 'badBody', data: { reason } })
  expect(badBody('body:data.points.min: must not be above max')).toBe('points')
  expect(badBody('body:data.flags.0: x')).toBe('flags')
  expect(badBody('body:data.flag: x')).toBe('flags')
  expect(badBody('body:data.adminBotConfig.code: x')).toBe('adminBotCode')
  expect(badBody('params:id: x')).toBeNull()
  expect(refusedField({ kind: 'badInstancerConfig' })).toBe('instancerConfig')
  expect(refusedField({ kind: 'badAdminBotConfig' })).toBe('adminBotCode')
  expect(refusedField({ kind: 'badPerms' })).toBeNull()
})

test('points must be integers with the minimum not above the maximum', () => {
  const of = (min: number, max: number) => problemsOf({ ...NEW_DRAFT, points: { min, max } }, messages)
  expect(of(1, 1)).toEqual({})
  expect(of(2, 1)).toEqual({ points: 'above' })
  expect(of(1.5, 2)).toEqual({ points: 'whole' })
  expect(of(Number.NaN, 2)).toEqual({ points: 'whole' })
  expect(of(0, 2 ** 31)).toEqual({ points: 'whole' })
})

test('dynamic scoring requires a secret', () => {
  const scoring = { kind: 'dynamic', source: { transport: 'webhook', secret: '' } } as const
  expect(problemsOf({ ...NEW_DRAFT, scoring }, messages)).toEqual({ scoring: 'secret' })
})

test('a scheduled release requires a time, a hidden challenge does not', () => {
  const of = (hidden: boolean) => problemsOf({ ...NEW_DRAFT, hidden, releaseTime: NO_TIME }, messages)
  expect(of(false)).toEqual({ releaseTime: 'time' })
  expect(of(true)).toEqual({})
})
