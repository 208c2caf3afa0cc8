import { z } from 'zod'
import {
  fieldLimits,
  fieldVisibilities,
  isDate,
  isPlainLine,
  type CustomField as Field,
} from './custom-field-values.ts'
import { eligibilityLimits, misfitOf, type EligibilityRule as Rule } from './eligibility.ts'
import { CountryCode } from './fields.ts'
import { PageLanguage } from './pages.ts'

// Fields that organisers ask teams and people for, and the rules on them: docs/reference/fields.md

/** Of a field, a rule or a choice in other data, such as a column of a CSV file. */
export const FieldId = z
  .string()
  .min(1)
  .max(32)
  .regex(/^[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$/, {
    error: 'must be lower-case letters, digits and single hyphens',
  })
  .refine((id) => !['name', 'email', 'division', 'country', 'constructor'].includes(id), {
    error: 'is reserved',
  })

const line = (max: number) =>
  z.string().trim().max(max).refine(isPlainLine, { error: 'must be one line without control characters' })

const DateText = z.string().max(10).refine(isDate, { error: 'must be a date, such as 2027-03-05' })

const isUnique = (values: readonly string[]) => new Set(values).size === values.length

const FieldText = z.object({
  language: PageLanguage,
  label: line(fieldLimits.label).min(1),
  help: line(fieldLimits.help).optional(),
  content: z
    .string()
    .max(fieldLimits.content)
    .optional()
    .describe('Of a consent: what is agreed to. Markdown.'),
  choices: z
    .array(line(fieldLimits.choice))
    .max(fieldLimits.choices)
    .optional()
    .describe('Names of the choices, in their order; an empty one is the stored value.'),
})

const texts = z
  .array(FieldText)
  .min(1)
  .max(fieldLimits.languages)
  .refine((all) => isUnique(all.map(({ language }) => language.toLowerCase())), {
    error: 'must have one text for each language',
  })
  .describe('One for each language; the first is shown to readers of other languages.')

const common = {
  id: FieldId,
  of: z.enum(['team', 'person']).describe('Whom the field asks: each team, or each person.'),
  asked: z.enum(['registration', 'later']),
  required: z
    .boolean()
    .describe('At registration, it is refused without an answer. Later, teams are only reminded.'),
  visible: z.enum(fieldVisibilities).describe('Who reads the answers.'),
  texts,
}

const bound = z.number().min(-1e12).max(1e12).optional()

const choices = z
  .array(line(fieldLimits.choice).min(1))
  .min(1)
  .max(fieldLimits.choices)
  .refine(isUnique, { error: 'must be different' })

export const CustomField = z.discriminatedUnion('kind', [
  z.object({
    ...common,
    kind: z.literal('text'),
    maxLength: z.int().min(1).max(fieldLimits.value).optional(),
  }),
  z.object({ ...common, kind: z.literal('choice'), choices: choices.describe('As they are stored.') }),
  z.object({ ...common, kind: z.literal('number'), min: bound, max: bound }),
  z.object({ ...common, kind: z.literal('date'), min: DateText.optional(), max: DateText.optional() }),
  z.object({ ...common, kind: z.literal('country') }),
  z.object({
    ...common,
    kind: z.literal('consent'),
    version: z.int().min(1).max(1_000_000).describe('A new version asks again.'),
  }),
])

/** In the order in which they are asked. */
export const CustomFields = z
  .array(CustomField)
  .max(fieldLimits.fields)
  .refine((fields) => isUnique(fields.map(({ id }) => id)), { error: 'must have different ids' })

const who = z
  .enum(['team', 'all', 'any'])
  .describe('Whom it is about: the team, all of its people, or any of them.')
const years = z.int().min(0).max(150).optional()
const values = z.array(line(fieldLimits.choice).min(1)).min(1).max(fieldLimits.choices)

const Condition = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('age'),
    who,
    field: FieldId.describe('With dates of birth.'),
    on: DateText,
    min: years,
    max: years,
  }),
  z.object({
    kind: z.literal('country'),
    who,
    field: FieldId.optional().describe("Without it, the country of the team's profile."),
    countries: z.array(CountryCode).min(1).max(eligibilityLimits.values),
    isExcluded: z.boolean().describe('The country must be none of these.'),
  }),
  z.object({
    kind: z.literal('domain'),
    who,
    domains: z
      .array(
        z
          .string()
          .trim()
          .toLowerCase()
          .max(eligibilityLimits.domain)
          .regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/, { error: 'must be a domain, such as uni.example' }),
      )
      .min(1)
      .max(eligibilityLimits.values)
      .describe('Of the email address; addresses below these domains count too.'),
  }),
  z.object({ kind: z.literal('choice'), who, field: FieldId, values }),
])

export const EligibilityRule = z.object({
  id: FieldId,
  texts: z
    .array(z.object({ language: PageLanguage, name: line(eligibilityLimits.name).min(1) }))
    .min(1)
    .max(fieldLimits.languages),
  division: z.string().min(1).max(255).optional().describe('Only teams of this division.'),
  conditions: z.array(Condition).min(1).max(eligibilityLimits.conditions).describe('All of them must hold.'),
})

export const EligibilityRules = z
  .array(EligibilityRule)
  .max(eligibilityLimits.rules)
  .refine((rules) => isUnique(rules.map(({ id }) => id)), { error: 'must have different ids' })

/** A rule that asks for a field that does not exist or has another kind; null if there is none. */
export function findMisfit(
  rules: readonly Rule[],
  fields: readonly Field[],
): { rule: string; condition: number } | null {
  for (const rule of rules) {
    const condition = misfitOf(rule, fields)
    if (condition !== null) return { rule: rule.id, condition }
  }
  return null
}

const MAX_ANSWERS = fieldLimits.fields

/** Answers by field. */
export const SentAnswers = z
  .record(z.string().min(1).max(32), z.string().max(fieldLimits.value))
  .meta({ maxProperties: MAX_ANSWERS })
  .refine((answers) => Object.keys(answers).length <= MAX_ANSWERS, {
    error: `must have at most ${MAX_ANSWERS} answers`,
  })
  .describe("Answers to the organisers' fields, by field: docs/reference/fields.md")
