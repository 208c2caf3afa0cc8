import { updateSettings } from '@pennant/contract/admin-settings.ts'
import { fieldText, type CustomField } from '@pennant/contract/custom-field-values.ts'
import { readAdminFields } from '@pennant/contract/custom-fields.ts'
import type { EligibilityRule } from '@pennant/contract/eligibility.ts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useAction } from '../../account/use-action.ts'
import { requestData, send } from '../../api/client.ts'
import { fieldsQuery, ruleName } from '../../api/fields.ts'
import { OWN_KEY } from '../../api/queries.ts'
import { refresh } from '../../state/live.ts'
import { useLanguage } from '../../state/preferences.ts'
import { adminFieldMessages } from '../../text/en/admin-fields.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { announce } from '../../ui/announcer.tsx'

export interface Definitions {
  readonly fields: readonly CustomField[]
  readonly eligibility: readonly EligibilityRule[]
}

export const definitionsQuery = queryOptions({
  queryKey: [OWN_KEY, 'admin-fields'],
  queryFn: ({ signal }) => requestData(readAdminFields, {}, { signal }),
  ...refresh(30_000),
})

/** Saves the fields or the rules as a whole, and says why they were refused. */
export function useDefinitions({ fields, eligibility }: Definitions) {
  const text = useMessages(adminFieldMessages)
  const format = useFormat()
  const language = useLanguage()
  const queries = useQueryClient()
  const action = useAction('change')
  const [reason, setReason] = useState<string>()
  const nameOf = (id: string) => {
    const field = fields.find((each) => each.id === id)
    return field ? fieldText(field, language).label : id
  }
  const explain = (
    response: { readonly kind: string; readonly data?: unknown },
    sent: Partial<Definitions>,
  ) => {
    if (response.kind === 'badFieldChange') {
      const { unfitting } = response.data as { unfitting: readonly { field: string; answers: number }[] }
      return unfitting
        .map(({ field, answers }) => text.unfitting(nameOf(field), format.number(answers)))
        .join(' ')
    }
    if (response.kind !== 'badEligibilityField') return undefined
    const { rule, condition } = response.data as { rule: string; condition: number }
    const found = (sent.eligibility ?? eligibility).find(({ id }) => id === rule)
    return text.badRule(found ? ruleName(found, language) : rule, condition + 1)
  }
  /** Returns whether it was saved. `deletedAnswers`: as many answers may go. */
  const save = async (data: Partial<Definitions>, deletedAnswers = 0): Promise<boolean> => {
    setReason(undefined)
    const request = async () => {
      const response = await send(updateSettings, { body: { data: data as object, deletedAnswers } })
      setReason(explain(response, data))
      return response
    }
    const isSaved = (await action.run(request)) !== null
    await Promise.all(
      [definitionsQuery, fieldsQuery].map(({ queryKey }) => queries.invalidateQueries({ queryKey })),
    )
    if (isSaved) announce(text.saved)
    return isSaved
  }
  return { save, failure: reason ?? action.failure, isPending: action.isPending }
}

/** Lines without blanks at their ends; empty ones at the end are left out. */
export function linesOf(text: string): string[] {
  return text.trimEnd() === ''
    ? []
    : text
        .trimEnd()
        .split('\n')
        .map((line) => line.trim())
}

/** Labels by value, for a select. */
export function choicesOf(labels: Readonly<Record<string, string>>) {
  return Object.entries(labels).map(([value, label]) => ({ value, label }))
}
