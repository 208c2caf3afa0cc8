import { describe, expect, test } from 'vitest'
import { ageOn, eligibilityOf, isAbout, type Candidate, type EligibilityCondition } from './eligibility.ts'

const none = { team: false, people: 0 }
const person = (answers: Record<string, string> = {}, email: string | null = null) => ({ answers, email })
const team = (more: Partial<Candidate> = {}): Candidate => ({
  email: 'crew@uni.example',
  countryCode: 'DE',
  answers: {},
  people: [],
  ...more,
})
const check = (condition: EligibilityCondition, candidate: Candidate, missing = none) =>
  eligibilityOf({ id: 'rule', texts: [], conditions: [condition] }, candidate, missing)

test.each([
  ['2009-03-05', '2027-03-04', 17],
  ['2009-03-05', '2027-03-05', 18],
  ['2008-02-29', '2026-02-28', 17],
  ['2008-02-29', '2026-03-01', 18],
])('who is born on %s is on %s %i years old', (born, day, years) => {
  expect(ageOn(born, day)).toBe(years)
})

describe('an age', () => {
  const age = { kind: 'age', field: 'born', on: '2027-03-05', max: 20, who: 'all' } as const
  const [young, old] = [person({ born: '2010-01-01' }), person({ born: '2000-01-01' })]

  test('of all people', () => {
    expect(check(age, team({ people: [young, young] })).result).toBe('eligible')
    expect(check(age, team({ people: [young, old, person()] }))).toEqual({
      result: 'not',
      reasons: [{ kind: 'condition', condition: 0, result: 'not', people: 1 }],
    })
    expect(check(age, team({ people: [young, person()] }))).toMatchObject({
      result: 'unknown',
      reasons: [{ result: 'unknown', people: 1 }],
    })
  })

  test('of any of them', () => {
    const any = { ...age, who: 'any' } as const
    expect(check(any, team({ people: [old, young] })).result).toBe('eligible')
    expect(check(any, team({ people: [old, old] })).reasons).toMatchObject([{ result: 'not', people: 2 }])
    expect(check(any, team({ people: [old, person()] })).result).toBe('unknown')
  })

  test('is unknown in a team without people', () => {
    expect(check(age, team())).toEqual({ result: 'unknown', reasons: [{ kind: 'people', condition: 0 }] })
  })
})

test('a country is in a list, or in none', () => {
  const country = { kind: 'country', countries: ['DE', 'AT'], isExcluded: false, who: 'team' } as const
  expect(check(country, team()).result).toBe('eligible')
  expect(check({ ...country, isExcluded: true }, team()).result).toBe('not')
  expect(check(country, team({ countryCode: null })).result).toBe('unknown')
  const ofPeople = { ...country, field: 'land', who: 'all' } as const
  expect(check(ofPeople, team({ people: [person({ land: 'AT' })] })).result).toBe('eligible')
  expect(check(ofPeople, team({ people: [person({ land: 'FR' })] })).result).toBe('not')
})

test('a domain is that of the address, or above it', () => {
  const domain = { kind: 'domain', domains: ['uni.example'], who: 'team' } as const
  expect(check(domain, team()).result).toBe('eligible')
  expect(check(domain, team({ email: 'a@cs.uni.example' })).result).toBe('eligible')
  expect(check(domain, team({ email: 'a@notuni.example' })).result).toBe('not')
  expect(check(domain, team({ email: null })).result).toBe('unknown')
  const people = [person({}, 'a@uni.example'), person({}, 'b@else.example')]
  expect(check({ ...domain, who: 'all' }, team({ people })).result).toBe('not')
  expect(check({ ...domain, who: 'any' }, team({ people })).result).toBe('eligible')
})

test('a choice is one of the values', () => {
  const choice = { kind: 'choice', field: 'kind', values: ['uni'], who: 'team' } as const
  expect(check(choice, team({ answers: { kind: 'uni' } })).result).toBe('eligible')
  expect(check(choice, team({ answers: { kind: 'school' } })).result).toBe('not')
  expect(check(choice, team()).result).toBe('unknown')
})

test('required answers that are missing make it unknown, but do not save a team', () => {
  const country = { kind: 'country', countries: ['DE'], isExcluded: false, who: 'team' } as const
  const missing = { team: true, people: 2 }
  expect(check(country, team(), missing)).toEqual({
    result: 'unknown',
    reasons: [{ kind: 'answers', team: true, people: 2 }],
  })
  expect(check(country, team({ countryCode: 'FR' }), missing).result).toBe('not')
})

test('all conditions must hold', () => {
  const conditions: EligibilityCondition[] = [
    { kind: 'country', countries: ['DE'], isExcluded: false, who: 'team' },
    { kind: 'domain', domains: ['else.example'], who: 'team' },
  ]
  const found = eligibilityOf({ id: 'rule', texts: [], conditions }, team(), none)
  expect(found).toEqual({ result: 'not', reasons: [{ kind: 'condition', condition: 1, result: 'not' }] })
})

test('a rule of a division is about its teams only', () => {
  const rule = { id: 'rule', texts: [], conditions: [] }
  expect(isAbout({ ...rule, division: 'school' }, 'school')).toBe(true)
  expect(isAbout({ ...rule, division: 'school' }, 'open')).toBe(false)
  expect(isAbout(rule, 'open')).toBe(true)
})
