// Who may take a prize or belongs into a division: docs/reference/fields.md#eligibility. Without imports but types, because the site
// uses the rules too.
import type { Answers, CustomField } from './custom-field-values.ts'

/** Rules, conditions of each, values of a condition, and characters of a name, of a domain and of a reason. */
export const eligibilityLimits = {
  rules: 20,
  conditions: 10,
  values: 250,
  name: 200,
  domain: 255,
  reason: 500,
}

/** Whom a condition is about: the team itself, all of its people or any of them. */
export type ConditionOf = 'team' | 'all' | 'any'

export type EligibilityCondition = { readonly who: ConditionOf } &
  /** Years that are completed on a day. */
  (
    | {
        readonly kind: 'age'
        readonly field: string
        readonly on: string
        readonly min?: number | undefined
        readonly max?: number | undefined
      }
    /** Without a field, the country of the team's profile. */
    | {
        readonly kind: 'country'
        readonly field?: string | undefined
        readonly countries: readonly string[]
        readonly isExcluded: boolean
      }
    /** Of the address, or below it. */
    | { readonly kind: 'domain'; readonly domains: readonly string[] }
    | { readonly kind: 'choice'; readonly field: string; readonly values: readonly string[] }
  )

export interface EligibilityRule {
  readonly id: string
  readonly texts: readonly { readonly language: string; readonly name: string }[]
  /** Only teams of this division; without it, all teams. */
  readonly division?: string | undefined
  /** All of them must hold. */
  readonly conditions: readonly EligibilityCondition[]
}

export interface Subject {
  readonly email: string | null
  readonly answers: Answers
}

/** A team with its people, as far as rules ask. */
export interface Candidate extends Subject {
  readonly countryCode: string | null
  readonly people: readonly Subject[]
}

export type EligibilityResult = 'eligible' | 'not' | 'unknown'

/**
 * Why a team is not eligible, or why that is unknown: a condition by its position, `answers` for required fields without an answer, or
 * `people` for a team without any.
 */
export type EligibilityReason =
  | {
      readonly kind: 'condition'
      readonly condition: number
      readonly result: 'not' | 'unknown'
      readonly people?: number | undefined
    }
  | { readonly kind: 'people'; readonly condition: number }
  | { readonly kind: 'answers'; readonly people: number; readonly team: boolean }

export interface Eligibility {
  readonly result: EligibilityResult
  readonly reasons: readonly EligibilityReason[]
}

export interface Missing {
  /** Required fields of the team have no answer. */
  readonly team: boolean
  /** People without an answer to a required field. */
  readonly people: number
}

/** Completed years on a day. Who was born on 29 February completes a year on 1 March, or on 29 February. */
export function ageOn(born: string, day: string): number {
  const years = Number(day.slice(0, 4)) - Number(born.slice(0, 4))
  return born.slice(5) > day.slice(5) ? years - 1 : years
}

function isIn(domain: string, domains: readonly string[]): boolean {
  return domains.some((each) => domain === each || domain.endsWith(`.${each}`))
}

/** Null if the answer that decides is missing. */
function holds(
  condition: EligibilityCondition,
  subject: Subject & { countryCode?: string | null },
): boolean | null {
  const answer =
    'field' in condition && condition.field !== undefined ? subject.answers[condition.field] : undefined
  switch (condition.kind) {
    case 'age': {
      if (answer === undefined) return null
      const age = ageOn(answer, condition.on)
      return age >= (condition.min ?? 0) && age <= (condition.max ?? Infinity)
    }
    case 'country': {
      const country = condition.field === undefined ? (subject.countryCode ?? undefined) : answer
      return country === undefined ? null : condition.countries.includes(country) !== condition.isExcluded
    }
    case 'domain': {
      const domain = subject.email?.split('@').at(-1)?.toLowerCase()
      return domain === undefined ? null : isIn(domain, condition.domains)
    }
    case 'choice':
      return answer === undefined ? null : condition.values.includes(answer)
  }
}

/** The reason against a condition; null if it holds. */
function reasonOf(condition: EligibilityCondition, at: number, team: Candidate): EligibilityReason | null {
  if (condition.who === 'team') {
    const held = holds(condition, team)
    return held === true
      ? null
      : { kind: 'condition', condition: at, result: held === null ? 'unknown' : 'not' }
  }
  if (team.people.length === 0) return { kind: 'people', condition: at }
  const held = team.people.map((person) => holds(condition, person))
  const [failing, open] = [
    held.filter((each) => each === false).length,
    held.filter((each) => each === null).length,
  ]
  if (condition.who === 'any') {
    if (held.includes(true)) return null
    const people = open > 0 ? open : failing
    return { kind: 'condition', condition: at, result: open > 0 ? 'unknown' : 'not', people }
  }
  if (failing > 0) return { kind: 'condition', condition: at, result: 'not', people: failing }
  return open > 0 ? { kind: 'condition', condition: at, result: 'unknown', people: open } : null
}

/** Whether the rule is about teams of the division. */
export function isAbout({ division }: EligibilityRule, teamDivision: string): boolean {
  return division === undefined || division === teamDivision
}

/** Missing answers that are required make a team's eligibility unknown, unless a condition fails already. */
export function eligibilityOf(rule: EligibilityRule, team: Candidate, missing: Missing): Eligibility {
  const reasons: EligibilityReason[] = rule.conditions.flatMap(
    (condition, at) => reasonOf(condition, at, team) ?? [],
  )
  if (missing.team || missing.people > 0) reasons.push({ kind: 'answers', ...missing })
  const fails = reasons.some((reason) => reason.kind === 'condition' && reason.result === 'not')
  return { result: reasons.length === 0 ? 'eligible' : fails ? 'not' : 'unknown', reasons }
}

/** What is wrong with a rule: the position of a condition that asks for a field that does not fit. Null if nothing is. */
export function misfitOf({ conditions }: EligibilityRule, fields: readonly CustomField[]): number | null {
  const at = conditions.findIndex((condition) => !fits(condition, fields))
  return at < 0 ? null : at
}

const FIELD_KIND = { age: 'date', country: 'country', choice: 'choice' } as const

function fits(condition: EligibilityCondition, fields: readonly CustomField[]): boolean {
  if (condition.kind === 'domain') return true
  if (condition.field === undefined) return condition.who === 'team'
  const field = fields.find(({ id }) => id === condition.field)
  if (field?.kind !== FIELD_KIND[condition.kind]) return false
  return (field.of === 'team') === (condition.who === 'team')
}
