import { fieldText, type CustomField } from '@pennant/contract/custom-field-values.ts'
import { listFields, readPersonAnswers, readTeamAnswers } from '@pennant/contract/custom-fields.ts'
import type { EligibilityRule } from '@pennant/contract/eligibility.ts'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { refresh } from '../state/live.ts'
import { requestData } from './client.ts'
import { OWN_KEY } from './queries.ts'
import { useConfig } from './use-contest.ts'

/** What organisers ask for, and the rules of eligibility. */
export const fieldsQuery = queryOptions({
  queryKey: ['fields'],
  queryFn: ({ signal }) => requestData(listFields, {}, { signal }),
  ...refresh(5 * MINUTE_MS),
})

export const teamAnswersQuery = queryOptions({
  queryKey: [OWN_KEY, 'team-answers'],
  queryFn: ({ signal }) => requestData(readTeamAnswers, {}, { signal }),
  ...refresh(MINUTE_MS),
})

/** Fails with `badNoPerson` for the token of a team. */
export const personAnswersQuery = queryOptions({
  queryKey: [OWN_KEY, 'person-answers'],
  queryFn: ({ signal }) => requestData(readPersonAnswers, {}, { signal }),
  retry: false,
  ...refresh(MINUTE_MS),
})

/** The fields that apply; null while they load. */
export function useFields(): readonly CustomField[] | null {
  const { fields: isAsked } = useConfig() ?? {}
  const { data } = useQuery({ ...fieldsQuery, enabled: isAsked === true })
  if (isAsked !== true) return NONE
  return (data?.fields as readonly CustomField[] | undefined) ?? null
}

const NONE: readonly CustomField[] = []

/** Names of fields for messages and lists. */
export function labelsOf(fields: readonly CustomField[], ids: readonly string[], language: string): string[] {
  return fields.flatMap((field) => (ids.includes(field.id) ? fieldText(field, language).label : []))
}

export function ruleName({ texts, id }: EligibilityRule, language: string): string {
  const found = texts.find((text) => text.language.split('-', 1)[0]?.toLowerCase() === language)
  return (found ?? texts[0])?.name ?? id
}

/** The rules that apply. */
export function useRules(): readonly EligibilityRule[] {
  return (useQuery(fieldsQuery).data?.eligibility as readonly EligibilityRule[] | undefined) ?? []
}
