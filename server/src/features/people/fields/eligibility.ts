import {
  fittingAnswers,
  missingFields,
  type Answers,
  type CustomField,
} from '@pennant/contract/custom-field-values.ts'
import {
  eligibilityOf,
  isAbout,
  type Candidate,
  type Eligibility,
  type EligibilityRule,
  type Missing,
} from '@pennant/contract/eligibility.ts'
import type { TeamRow, WorldView } from '../../../world/model.ts'
import { fieldsOf, type Definitions } from '../../site/custom-fields/definitions.ts'
import {
  decisionOf,
  personAnswerRows,
  teamAnswerRows,
  type DecisionRow,
} from '../../site/custom-fields/rows.ts'
import { personRows } from '../persons/rows.ts'

// Answers and eligibility of teams, computed from memory when they are read: docs/reference/fields.md

export interface FieldsContext {
  readonly world: WorldView
  readonly definitions: Definitions
  /** False if the event has teams only: people are not asked then. */
  readonly hasPeople: boolean
}

/** The fields of people; none where there are no people. */
export function personFields({ definitions, hasPeople }: Omit<FieldsContext, 'world'>): CustomField[] {
  return hasPeople ? fieldsOf(definitions, 'person') : []
}

/** Answers that fit the current definitions. */
export function teamAnswers({ world, definitions }: FieldsContext, teamId: string): Answers {
  return fittingAnswers(fieldsOf(definitions, 'team'), world.rows(teamAnswerRows)(teamId))
}

export function personAnswers(context: FieldsContext, personId: string): Answers {
  return fittingAnswers(personFields(context), context.world.rows(personAnswerRows)(personId))
}

function missingOf(context: FieldsContext, { answers, people }: Candidate): Missing {
  const [ofTeam, ofPeople] = [fieldsOf(context.definitions, 'team'), personFields(context)]
  return {
    team: missingFields(ofTeam, answers).length > 0,
    people: people.filter((person) => missingFields(ofPeople, person.answers).length > 0).length,
  }
}

function candidateOf(context: FieldsContext, { id, email, countryCode }: TeamRow): Candidate {
  const people = context.hasPeople ? context.world.rows(personRows).ofTeam(id) : []
  return {
    email,
    countryCode,
    answers: teamAnswers(context, id),
    people: people.map((person) => ({ email: person.email, answers: personAnswers(context, person.id) })),
  }
}

export interface RuleResult extends Eligibility {
  readonly rule: string
  readonly decision: DecisionRow | null
}

/** The results of the given rules that are about the team. */
export function resultsOf(
  context: FieldsContext,
  team: TeamRow,
  rules: readonly EligibilityRule[] = context.definitions.eligibility,
): RuleResult[] {
  const about = rules.filter((rule) => isAbout(rule, team.division))
  if (about.length === 0) return []
  const candidate = candidateOf(context, team)
  const missing = missingOf(context, candidate)
  return about.map((rule) => {
    const computed = eligibilityOf(rule, candidate, missing)
    const decision = decisionOf(context.world, team.id, rule.id) ?? null
    return { rule: rule.id, ...computed, ...(decision && { result: decision.result }), decision }
  })
}
