import { describe, expect, test } from 'vitest'
import { CustomFields, findMisfit, SentAnswers } from './custom-field-schemas.ts'
import {
  checkAnswers,
  fieldText,
  fittingAnswers,
  maySeeField,
  missingFields,
  shownValue,
  valueOf,
  type CustomField,
} from './custom-field-values.ts'

const common = {
  id: 'field',
  of: 'team',
  asked: 'registration',
  required: false,
  visible: 'organisers',
  texts: [{ language: 'en', label: 'Field' }],
} as const
const text: CustomField = { ...common, kind: 'text', maxLength: 5 }
const choice: CustomField = {
  ...common,
  kind: 'choice',
  choices: ['uni', 'school'],
  texts: [
    { language: 'en', label: 'Where', choices: ['University'] },
    { language: 'de', label: 'Wo', choices: ['Universität', 'Schule'] },
  ],
}
const number: CustomField = { ...common, kind: 'number', min: 1, max: 9.5 }
const date: CustomField = { ...common, kind: 'date', min: '1990-01-01' }
const country: CustomField = { ...common, kind: 'country' }
const consent: CustomField = { ...common, id: 'rules', kind: 'consent', version: 2, required: true }

test.each<[string, CustomField, string, string | null]>([
  ['a text', text, ' abc ', 'abc'],
  ['a text that is too long', text, 'abcdef', null],
  ['a text with a line break', text, 'a\nb', null],
  ['a text that turns its direction', text, 'a\u202eb', null],
  ['a text with half of a surrogate pair', text, 'a\ud800', null],
  ['a composed text', text, 'e\u0301', 'é'],
  ['nothing', text, '  ', null],
  ['a choice', choice, 'uni', 'uni'],
  ['the name of a choice', choice, 'University', null],
  ['a number', number, '007.50', '7.5'],
  ['a number beyond the limit', number, '10', null],
  ['a number in another form', number, '1e0', null],
  ['words instead of a number', number, 'Infinity', null],
  ['a date', date, '2004-02-29', '2004-02-29'],
  ['a day that does not exist', date, '2003-02-29', null],
  ['a month that does not exist', date, '2003-13-01', null],
  ['a date before the limit', date, '1989-12-31', null],
  ['a date with a time', date, '2004-02-29T00:00', null],
  ['a country', country, 'de', 'DE'],
  ['no country', country, 'XX', null],
  ['the current consent', consent, '2', '2'],
  ['an earlier consent', consent, '1', null],
  ['a consent to come', consent, '3', null],
])('%s', (_name, ...[field, given, expected]) => {
  expect(valueOf(field, given)).toBe(expected)
})

describe('answers', () => {
  const fields = [{ ...text, required: true }, { ...number, id: 'size' }, consent]

  test('are complete at registration', () => {
    const checked = checkAnswers(fields, { size: 'x', other: 'y' }, { isComplete: true })
    expect(checked.problems).toEqual({ field: 'missing', size: 'number', rules: 'missing', other: 'unknown' })
    expect(checkAnswers(fields, { field: 'abc', rules: '2' }, { isComplete: true })).toEqual({
      values: { field: 'abc', rules: '2' },
      problems: {},
    })
  })

  test('count where they are stored, unless they no longer fit', () => {
    const stored = { field: 'abc', rules: '1' }
    const checked = checkAnswers(fields, {}, { stored, isComplete: true })
    expect(checked.problems).toEqual({ rules: 'missing' })
    expect(missingFields(fields, stored).map(({ id }) => id)).toEqual(['rules'])
    // Organisers went back to an earlier version.
    expect(fittingAnswers(fields, { rules: '3', size: '99', gone: 'x' })).toEqual({ rules: '3' })
  })

  test('are changed one by one later, and only optional ones are cleared', () => {
    expect(checkAnswers(fields, { size: '' }, { isComplete: false })).toEqual({
      values: { size: '' },
      problems: {},
    })
    expect(checkAnswers(fields, { field: ' ' }, { isComplete: false }).problems).toEqual({ field: 'missing' })
  })

  test('to a name that objects have are unknown', () => {
    const given = JSON.parse('{"__proto__":"x","toString":"y"}') as Record<string, string>
    expect(Object.values(checkAnswers(fields, given, { isComplete: false }).problems)).toContain('unknown')
  })

  test('are read by those whom the field allows', () => {
    const readers = ['organiser', 'owner', 'team', 'everyone'] as const
    const readersOf = (visible: CustomField['visible']) =>
      readers.filter((each) => maySeeField({ visible }, each))
    expect(readersOf('organisers')).toEqual(['organiser', 'owner'])
    expect(readersOf('team')).toEqual(['organiser', 'owner', 'team'])
    expect(readersOf('everyone')).toEqual(readers)
  })
})

test('texts and choices are shown in the language, or in the first one', () => {
  expect(fieldText(choice, 'de-AT').label).toBe('Wo')
  expect(fieldText(choice, 'fr').label).toBe('Where')
  expect(shownValue(choice, 'school', 'de')).toBe('Schule')
  expect(shownValue(choice, 'school', 'en')).toBe('school')
  expect(shownValue(date, '2004-02-29', 'en')).toBe('2004-02-29')
})

describe('definitions', () => {
  test.each<[string, object[]]>([
    ['two with one id', [text, number]],
    ['a reserved id', [{ ...text, id: 'email' }]],
    ['a kind that does not exist', [{ ...text, kind: 'file' }]],
    ['no choices', [{ ...choice, choices: [] }]],
    ['a label of two lines', [{ ...text, texts: [{ language: 'en', label: 'a\nb' }] }]],
    ['two texts in one language', [{ ...text, texts: [common.texts[0], common.texts[0]] }]],
    ['too many', Array.from({ length: 31 }, (_, at) => ({ ...text, id: `f${at}` }))],
  ])('are refused with %s', (_name, fields) => {
    expect(CustomFields.safeParse(fields).success).toBe(false)
  })

  test('are accepted', () => {
    const fields = [text, choice, number, date, country, consent].map((field, at) => ({
      ...field,
      id: `f${at}`,
    }))
    expect(CustomFields.parse(fields)).toEqual(fields)
  })

  test('fit the rules on them', () => {
    const rule = (condition: object) => [{ id: 'junior', texts: [], conditions: [condition as never] }]
    const age = { kind: 'age', field: 'field', on: '2027-01-01' }
    expect(findMisfit(rule({ ...age, who: 'team' }), [date])).toBeNull()
    expect(findMisfit(rule({ ...age, who: 'all' }), [date])).toEqual({ rule: 'junior', condition: 0 })
    expect(findMisfit(rule({ ...age, who: 'all' }), [{ ...date, of: 'person' }])).toBeNull()
    expect(findMisfit(rule({ ...age, who: 'team' }), [text])).toEqual({ rule: 'junior', condition: 0 })
    expect(findMisfit(rule({ ...age, who: 'team' }), [])).toEqual({ rule: 'junior', condition: 0 })
    expect(findMisfit(rule({ kind: 'country', who: 'team', countries: ['DE'] }), [])).toBeNull()
    expect(findMisfit(rule({ kind: 'country', who: 'all', countries: ['DE'] }), [])).not.toBeNull()
  })
})

test('answers in a request have a bound', () => {
  const answers = Object.fromEntries(Array.from({ length: 31 }, (_, at) => [`f${at}`, 'x']))
  expect(SentAnswers.safeParse(answers).success).toBe(false)
})
