import type { TeamListFilter } from '@pennant/contract/admin-teams.ts'
import { passes } from '@pennant/contract/filters.ts'
import type { z } from 'zod'
import type { TeamRow } from '../../../world/model.ts'
import { personRows } from '../persons/rows.ts'
import { personAnswers, resultsOf, teamAnswers, type FieldsContext } from './eligibility.ts'

type FieldFilter = Pick<z.output<typeof TeamListFilter>, 'fields' | 'eligibility'>

/** Whether a team passes the filters by answers and by eligibility; undefined without such filters. */
export function fieldFilter(
  context: FieldsContext,
  { fields = [], eligibility = [] }: FieldFilter,
): ((team: TeamRow) => boolean) | undefined {
  if (fields.length === 0 && eligibility.length === 0) return undefined
  const definitions = new Map(context.definitions.fields.map((field) => [field.id, field]))
  const rules = new Map(context.definitions.eligibility.map((rule) => [rule.id, rule]))
  const people = context.world.rows(personRows)
  const valuesOf = (team: TeamRow, id: string): string[] => {
    if (definitions.get(id)?.of !== 'person') return [teamAnswers(context, team.id)[id] ?? '']
    const values = people.ofTeam(team.id).map((person) => personAnswers(context, person.id)[id] ?? '')
    return values.length === 0 ? [''] : values
  }
  const resultOf = (team: TeamRow, id: string) => {
    const rule = rules.get(id)
    return (rule && resultsOf(context, team, [rule])[0]?.result) ?? 'none'
  }
  return (team) =>
    fields.every(({ field, value }) => valuesOf(team, field).some((each) => passes(value, each))) &&
    eligibility.every(({ rule, result }) => passes(result, resultOf(team, rule)))
}
