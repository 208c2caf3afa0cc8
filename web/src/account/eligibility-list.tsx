import { fieldText, shownValue, type CustomField } from '@pennant/contract/custom-field-values.ts'
import type {
  EligibilityCondition,
  EligibilityReason,
  EligibilityResult,
  EligibilityRule,
} from '@pennant/contract/eligibility.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { fieldsQuery, ruleName, useRules } from '../api/fields.ts'
import { useLanguage } from '../state/preferences.ts'
import { fieldMessages } from '../text/en/fields.ts'
import { useFormat, useMessages } from '../text/messages.ts'

interface Found {
  readonly rule: string
  readonly result: EligibilityResult
  readonly reasons: readonly EligibilityReason[]
  readonly decision: { readonly reason: string } | null
}

/** Results of rules with their reasons in words. */
export function EligibilityList({
  results,
  action,
}: {
  readonly results: readonly Found[]
  readonly action?: (rule: EligibilityRule) => ReactNode
}) {
  const text = useMessages(fieldMessages)
  const language = useLanguage()
  const rules = useRules()
  const describe = useReasons()
  return (
    <ul className="pn-stack pn-gap-3">
      {results.map(({ rule: id, result, reasons, decision }) => {
        const rule = rules.find((each) => each.id === id)
        if (!rule) return null
        return (
          <li key={id}>
            <b>
              <bdi>{ruleName(rule, language)}</bdi>
            </b>
            {': '}
            {text.results[result]}
            {decision && (
              <p className="pn-flat">
                {decision.reason === '' ? text.decided : text.decidedBecause(decision.reason)}
              </p>
            )}
            {reasons.map((reason) => {
              const said = describe(rule, reason)
              return (
                <p key={said} className="pn-flat pn-muted">
                  {said}
                </p>
              )
            })}
            {action?.(rule)}
          </li>
        )
      })}
    </ul>
  )
}

/** Says a reason in words. */
function useReasons() {
  const text = useMessages(fieldMessages)
  const describe = useConditions()
  return ({ conditions }: EligibilityRule, reason: EligibilityReason): string => {
    if (reason.kind === 'answers')
      return [reason.team && text.reasons.team, reason.people > 0 && text.reasons.answers(reason.people)]
        .filter(Boolean)
        .join(' ')
    const condition = conditions[reason.condition]
    const said = condition ? describe(condition) : ''
    if (reason.kind === 'people') return text.reason(said, text.reasons.people.replace(/\.$/, ''))
    return text.reason(said, reason.result === 'not' ? text.fails(reason.people) : text.isOpen(reason.people))
  }
}

/** Says a condition in words. */
export function useConditions() {
  const text = useMessages(fieldMessages)
  const format = useFormat()
  const language = useLanguage()
  const fields = (useQuery(fieldsQuery).data?.fields ?? []) as readonly CustomField[]
  const names = new Intl.DisplayNames(language, { type: 'region' })
  const find = (id: string | undefined) => fields.find((field) => field.id === id)
  const labelOf = (id: string | undefined) => {
    const field = find(id)
    return field ? fieldText(field, language).label : (id ?? text.conditions.teamCountry)
  }
  const say = (condition: EligibilityCondition): string => {
    switch (condition.kind) {
      case 'age': {
        const day = format.date(Date.parse(`${condition.on}T12:00:00`))
        return text.conditions.age(day, condition.min, condition.max)
      }
      case 'country': {
        const countries = format.list(condition.countries.map((code) => names.of(code) ?? code))
        const word = condition.isExcluded ? text.conditions.notCountry : text.conditions.country
        return word(labelOf(condition.field), countries)
      }
      case 'domain':
        return text.conditions.domain(format.list(condition.domains))
      case 'choice': {
        const field = find(condition.field)
        const values = condition.values.map((value) => (field ? shownValue(field, value, language) : value))
        return text.conditions.choice(labelOf(condition.field), format.list(values))
      }
    }
  }
  return (condition: EligibilityCondition) => text.condition(say(condition), text.who[condition.who])
}
