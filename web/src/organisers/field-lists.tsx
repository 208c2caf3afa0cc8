import {
  fieldText,
  shownValue,
  type Answers,
  type CustomField,
} from '@pennant/contract/custom-field-values.ts'
import { listAnswers } from '@pennant/contract/custom-fields.ts'
import type { EligibilityResult, EligibilityRule } from '@pennant/contract/eligibility.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { requestData } from '../api/client.ts'
import { ruleName, useFields, useRules } from '../api/fields.ts'
import { OWN_KEY } from '../api/queries.ts'
import { refresh } from '../state/live.ts'
import { useLanguage } from '../state/preferences.ts'
import { adminFieldMessages } from '../text/en/admin-fields.ts'
import { useMessages } from '../text/messages.ts'
import type { Column } from '../ui/data/data-table.tsx'
import type { Filter } from '../ui/data/filters.ts'
import { filterBody, type Lists } from './filter-body.ts'

// Answers and eligibility as columns, filters and cells of CSV files in the lists of teams and people.

/** In addresses, where an empty value cannot be, and typed. */
const NO_ANSWER = '-'
const FIELD = 'field-'
const RULE = 'rule-'

export const answersKey = [OWN_KEY, 'admin-answers'] as const

/** The fields and rules as filters of the list of teams. */
export function useFieldFilters() {
  const text = useMessages(adminFieldMessages)
  const language = useLanguage()
  const fields = useFields() ?? []
  const rules = useRules()
  const none = { value: NO_ANSWER, label: text.noAnswer }
  return [
    ...fields.map((field) => {
      const { label } = fieldText(field, language)
      const choices = choicesOf(field, language, text.version)
      const id = FIELD + field.id
      return choices ? { id, label, choices: [...choices, none] } : { id, label: text.typedFilter(label) }
    }),
    ...rules.map((rule) => ({
      id: RULE + rule.id,
      label: ruleName(rule, language),
      choices: Object.entries(text.results).map(([value, label]) => ({ value, label })),
    })),
  ]
}

/** Values that can be listed; null if they are typed. */
function choicesOf(field: CustomField, language: string, version: (number: number) => string) {
  if (field.kind === 'choice')
    return field.choices.map((value) => ({ value, label: shownValue(field, value, language) }))
  if (field.kind === 'consent') return [{ value: String(field.version), label: version(field.version) }]
  return null
}

const withoutSentinel = (values: string[]) => values.map((value) => (value === NO_ANSWER ? '' : value))

/** The filters of the list of teams as a request has them. */
export function teamFilterBody(filters: readonly Filter[]) {
  const { status, division, ...others } = filterBody(filters) as Record<string, Lists>
  const of = (prefix: string) =>
    Object.entries(others).flatMap(([id, lists]) =>
      id.startsWith(prefix) ? [[id.slice(prefix.length), lists] as const] : [],
    )
  const fields = of(FIELD).map(([field, { include, exclude }]) => ({
    field,
    value: {
      ...(include && { include: withoutSentinel(include) }),
      ...(exclude && { exclude: withoutSentinel(exclude) }),
    },
  }))
  const eligibility = of(RULE).map(([rule, result]) => ({
    rule,
    result: result as { include?: EligibilityResult[] },
  }))
  return {
    ...(status && { status: status as { include?: 'active'[] } }),
    ...(division && { division }),
    ...(fields.length > 0 && { fields }),
    ...(eligibility.length > 0 && { eligibility }),
  }
}

interface Owners {
  readonly teams?: readonly string[]
  readonly people?: readonly string[]
}

export function requestAnswers({ teams = [], people = [] }: Owners, signal?: AbortSignal) {
  const body = { data: { teams: [...teams], people: [...people] } }
  return requestData(listAnswers, { body }, signal && { signal })
}

/** Answers of what a page of a list shows. */
export function useAnswersOf(owners: Owners) {
  const hasOwners = [...(owners.teams ?? []), ...(owners.people ?? [])].length > 0
  const [fields, rules] = [useFields(), useRules()]
  const isAsked = fields?.length !== 0 || rules.length > 0
  return useQuery({
    queryKey: [...answersKey, owners],
    queryFn: ({ signal }) => requestAnswers(owners, signal),
    enabled: hasOwners && isAsked,
    placeholderData: keepPreviousData,
    ...refresh(30_000),
  }).data
}

/** Columns of the fields of teams or people; of people in a list of teams there are none. */
export function useAnswerColumns<Row extends { readonly id: string }>(
  of: CustomField['of'],
  rows: readonly { readonly id: string; readonly answers: Answers }[],
): Column<Row>[] {
  const language = useLanguage()
  const fields = useFields() ?? []
  const byId = new Map(rows.map((row) => [row.id, row.answers]))
  return fields
    .filter((field) => field.of === of)
    .map((field) => ({
      id: FIELD + field.id,
      head: fieldText(field, language).label,
      spare: true,
      cell: ({ id }: Row) => {
        const value = byId.get(id)?.[field.id]
        return value === undefined ? '–' : <bdi>{shownValue(field, value, language)}</bdi>
      },
    }))
}

type FoundTeams = Awaited<ReturnType<typeof requestAnswers>>['teams']

/** A column with the result of each rule. */
export function useRuleColumns<Row extends { readonly id: string }>(teams: FoundTeams): Column<Row>[] {
  const text = useMessages(adminFieldMessages)
  const language = useLanguage()
  const byId = new Map(teams.map((team) => [team.id, team.eligibility]))
  return useRules().map((rule) => ({
    id: RULE + rule.id,
    head: ruleName(rule, language),
    spare: true,
    cell: ({ id }: Row) => {
      const found = byId.get(id)?.find((each) => each.rule === rule.id)
      return text.results[found?.result ?? 'none']
    },
  }))
}

/** Head and cells of the answers in CSV files. */
export function useAnswerCells(of: CustomField['of']) {
  const fields = (useFields() ?? []).filter((field) => field.of === of)
  const listed = useRules()
  const rules: readonly EligibilityRule[] = of === 'team' ? listed : []
  return {
    head: [...fields.map(({ id }) => id), ...rules.map(({ id }) => `eligible_${id}`)],
    cells: (
      found:
        | { readonly answers: Answers; readonly eligibility?: FoundTeams[number]['eligibility'] }
        | undefined,
    ) => [
      ...fields.map(({ id }) => found?.answers[id] ?? ''),
      ...rules.map(({ id }) => found?.eligibility?.find((each) => each.rule === id)?.result ?? ''),
    ],
  }
}
