import { describe, expect, test } from 'vitest'
import { createDivisions, type DivisionAcl } from './divisions.ts'

const divisions = { open: 'Open', students: 'Students', staff: 'Staff' }

function rules(
  divisionACLs: readonly DivisionAcl[],
  more: { defaultDivision?: string; emailEnabled?: boolean } = {},
) {
  return createDivisions({ divisions, divisionACLs, emailEnabled: true, ...more })
}

describe('without usable rules', () => {
  test('every division is allowed and the first one is chosen', () => {
    expect(rules([]).allowedFor('a@b.org')).toEqual(['open', 'students', 'staff'])
    expect(rules([]).pickFor('a@b.org')).toBe('open')
  })

  test('the default division is chosen if it exists', () => {
    expect(rules([], { defaultDivision: 'staff' }).pickFor('a@b.org')).toBe('staff')
  })

  test('rules do not apply without mail', () => {
    const off = rules([{ match: 'any', divisions: ['staff'] }], { emailEnabled: false })
    expect(off.allowedFor('a@b.org')).toHaveLength(3)
    expect(off.pickFor('a@b.org')).toBe('open')
  })

  test('a team without an address may join any division', () => {
    const strict = rules([{ match: 'domain', value: 'uni.edu', divisions: ['students'] }], {
      defaultDivision: 'staff',
    })
    expect(strict.allowedFor(null)).toHaveLength(3)
    expect(strict.pickFor(null)).toBe('staff')
  })
})

describe('with rules', () => {
  const strict = rules(
    [
      { match: 'domain', value: 'uni.edu', divisions: ['students', 'open'] },
      { match: 'email', value: 'boss@uni.edu', divisions: ['staff', 'open'] },
      { match: 'regex', value: 'x+y', divisions: ['open'] },
    ],
    { defaultDivision: 'staff' },
  )

  test('matching divisions are allowed in the order of the rules, each once', () => {
    expect(strict.allowedFor('boss@uni.edu')).toEqual(['students', 'open', 'staff'])
  })

  test('the first allowed division is chosen, regardless of the default', () => {
    expect(strict.pickFor('a@uni.edu')).toBe('students')
  })

  test('a domain matches exactly, without its subdomains', () => {
    expect(strict.allowedFor('a@sub.uni.edu')).toEqual([])
    expect(strict.allowedFor('a@notuni.edu')).toEqual([])
  })

  test('a regular expression matches anywhere', () => {
    expect(strict.allowedFor('axxyb@other.org')).toEqual(['open'])
  })

  test('an address that matches nothing has no division', () => {
    expect(strict.pickFor('a@other.org')).toBeNull()
  })

  test('`any` matches every address', () => {
    expect(rules([{ match: 'any', divisions: ['students'] }]).allowedFor('a@b.org')).toEqual(['students'])
  })

  test('a division that is not configured is never allowed', () => {
    const ghost = rules([{ match: 'any', divisions: ['ghost', 'open'] }])
    expect(ghost.isAllowed('a@b.org', 'ghost')).toBe(false)
    expect(ghost.isAllowed('a@b.org', 'open')).toBe(true)
    expect(rules([]).isAllowed('a@b.org', 'toString')).toBe(false)
  })
})
