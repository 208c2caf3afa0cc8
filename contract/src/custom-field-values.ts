import { countryCodes } from './countries.ts'

// What answers to the organisers' fields may be: docs/reference/fields.md. Without the schema library, because the site uses the
// rules too.

/** A calendar date, `2027-03-05`. */
type DateText = string

export const fieldVisibilities = ['organisers', 'team', 'everyone'] as const

/** Fields, characters of an answer, choices of a field, and languages of its texts. */
export const fieldLimits = {
  fields: 30,
  value: 500,
  choices: 100,
  choice: 100,
  label: 200,
  help: 500,
  content: 5000,
  languages: 8,
}

export interface FieldText {
  readonly language: string
  readonly label: string
  readonly help?: string | undefined
  /** Of a consent. */
  readonly content?: string | undefined
  /** Names of the choices, in their order. A missing or empty one is the stored value. */
  readonly choices?: readonly string[] | undefined
}

interface Common {
  readonly id: string
  readonly of: 'team' | 'person'
  readonly asked: 'registration' | 'later'
  readonly required: boolean
  readonly visible: (typeof fieldVisibilities)[number]
  /** The first is shown to readers of other languages. */
  readonly texts: readonly FieldText[]
}

export type CustomField = Common &
  (
    | { readonly kind: 'text'; readonly maxLength?: number | undefined }
    | { readonly kind: 'choice'; readonly choices: readonly string[] }
    | { readonly kind: 'number'; readonly min?: number | undefined; readonly max?: number | undefined }
    | { readonly kind: 'date'; readonly min?: DateText | undefined; readonly max?: DateText | undefined }
    | { readonly kind: 'country' }
    /** A new version asks again. */
    | { readonly kind: 'consent'; readonly version: number }
  )

/** Answers by field. That of a consent is the version that was accepted. */
export type Answers = Readonly<Record<string, string>>

/** `missing`: required. `unknown`: no such field is asked here. Others: not such a value, or outside of its limits. */
export type AnswerProblem =
  | 'missing'
  | 'unknown'
  | 'text'
  | 'choice'
  | 'number'
  | 'date'
  | 'country'
  | 'consent'

/** Control characters, and those that change the direction or the lines of the text after them. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/u
const NUMBER = /^-?\d{1,12}(?:\.\d{1,6})?$/
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/

/** Whether the text is a day that exists, from 1900 to 2199. */
export function isDate(text: string): boolean {
  const [, year = '', month, day] = DATE.exec(text) ?? []
  if (year < '1900' || year > '2199') return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(`${year}-${month}-${day}`)
}

/** Whether the text can be shown anywhere on one line. */
export function isPlainLine(text: string): boolean {
  return !UNPRINTABLE.test(text)
}

/** The value that is stored for a text, or null if the field has no such value. */
export function valueOf(field: CustomField, text: string): string | null {
  const value = text.trim().normalize('NFC')
  if (value === '' || value.length > fieldLimits.value) return null
  switch (field.kind) {
    case 'text':
      return value.length <= (field.maxLength ?? fieldLimits.value) && isPlainLine(value) ? value : null
    case 'choice':
      return field.choices.includes(value) ? value : null
    case 'number': {
      const number = NUMBER.test(value) ? Number(value) : Number.NaN
      return number >= (field.min ?? -Infinity) && number <= (field.max ?? Infinity) ? String(number) : null
    }
    case 'date':
      return isDate(value) && value >= (field.min ?? value) && value <= (field.max ?? value) ? value : null
    case 'country':
      return countryCodes.includes(value.toUpperCase()) ? value.toUpperCase() : null
    case 'consent':
      return value === String(field.version) ? value : null
  }
}

/** The stored answers that still fit: definitions change. */
export function fittingAnswers(fields: readonly CustomField[], stored: Answers): Answers {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const text = Object.hasOwn(stored, field.id) ? stored[field.id] : undefined
      if (text === undefined) return []
      // A later version than the current one was accepted, if organisers went back.
      const isAccepted = field.kind === 'consent' && Number(text) >= field.version
      const value = isAccepted ? text : valueOf(field, text)
      return value === null ? [] : [[field.id, value]]
    }),
  )
}

export interface CheckedAnswers {
  /** What to store; an empty text clears the answer. */
  readonly values: Answers
  readonly problems: Readonly<Record<string, AnswerProblem>>
}

/**
 * Checks answers to the fields. With `isComplete`, the required ones that have neither been given nor stored are problems; without,
 * only those that would be cleared.
 */
export function checkAnswers(
  fields: readonly CustomField[],
  given: Answers,
  { stored = {}, isComplete }: { readonly stored?: Answers; readonly isComplete: boolean },
): CheckedAnswers {
  const values: [string, string][] = []
  const problems: [string, AnswerProblem][] = []
  const kept = fittingAnswers(fields, stored)
  for (const field of fields) {
    const text = Object.hasOwn(given, field.id) ? given[field.id] : undefined
    const isEmpty = text === undefined ? kept[field.id] === undefined : text.trim() === ''
    if (isEmpty && field.required && (isComplete || text !== undefined)) problems.push([field.id, 'missing'])
    else if (text !== undefined) {
      const value = isEmpty ? '' : valueOf(field, text)
      if (value === null) problems.push([field.id, field.kind])
      else values.push([field.id, value])
    }
  }
  const known = new Set(fields.map(({ id }) => id))
  for (const id of Object.keys(given)) if (!known.has(id)) problems.push([id, 'unknown'])
  return { values: Object.fromEntries(values), problems: Object.fromEntries(problems) }
}

/** The required fields without a fitting answer. */
export function missingFields(fields: readonly CustomField[], stored: Answers): CustomField[] {
  const kept = fittingAnswers(fields, stored)
  return fields.filter(({ id, required }) => required && kept[id] === undefined)
}

/** `owner`: whoever answers, which is a person, or for a team its captain and its own token. `team`: others of the team. */
export type FieldReader = 'organiser' | 'owner' | 'team' | 'everyone'

const READERS: Readonly<Record<CustomField['visible'], readonly FieldReader[]>> = {
  organisers: ['organiser', 'owner'],
  team: ['organiser', 'owner', 'team'],
  everyone: ['organiser', 'owner', 'team', 'everyone'],
}

/** Who reads the answers to a field: the only such rule. */
export function maySeeField({ visible }: Pick<CustomField, 'visible'>, reader: FieldReader): boolean {
  return READERS[visible].includes(reader)
}

const base = (tag: string) => tag.toLowerCase().split('-', 1)[0]

/** The text in the language, or the first one. */
export function fieldText({ texts, id }: Pick<CustomField, 'texts' | 'id'>, language: string): FieldText {
  const found = texts.find((text) => base(text.language) === base(language)) ?? texts[0]
  return found ?? { language, label: id }
}

/** How a value is shown in a language. Dates, numbers and countries stay as they are stored. */
export function shownValue(field: CustomField, value: string, language: string): string {
  if (field.kind !== 'choice') return value
  return fieldText(field, language).choices?.[field.choices.indexOf(value)] || value
}
