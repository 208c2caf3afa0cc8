import {
  checkAnswers,
  fieldLimits,
  fieldText,
  type AnswerProblem,
  type Answers,
  type CustomField,
} from '@pennant/contract/custom-field-values.ts'
import { lazy, Suspense } from 'react'
import { useFields } from '../api/fields.ts'
import { useLanguage } from '../state/preferences.ts'
import { fieldMessages } from '../text/en/fields.ts'
import { useMessages } from '../text/messages.ts'
import { Switch } from '../ui/fields/choices.tsx'
import { Select, TextInput } from '../ui/fields/inputs.tsx'
import { Skeleton } from '../ui/states/skeleton.tsx'
import { CountryField } from './country-field.tsx'

const Markdown = lazy(async () => ({ default: (await import('../ui/rich/markdown.tsx')).Markdown }))

/** A response, which may have refused answers. */
export type Response = { readonly kind: string; readonly data?: unknown } | null

interface RegistrationProps {
  readonly of: CustomField['of']
  readonly answers: Answers
  /** To the latest request. */
  readonly response: Response
  readonly onChange: (answers: Answers) => void
}

export type Problems = Readonly<Record<string, AnswerProblem>>

/** What is asked of a team or person at registration; nothing if nothing is. */
export function RegistrationFields({ of, response, ...props }: RegistrationProps) {
  const fields = useFields()
  if (!fields) return <Skeleton rows={2} height="var(--pn-row)" />
  const asked = fields.filter((field) => field.of === of && field.asked === 'registration')
  return <AnswerFields fields={asked} problems={refusedProblems(response) ?? {}} {...props} />
}

/** The problems of a refused request, by field. */
export function refusedProblems(response: Response): Problems | null {
  if (response?.kind !== 'badFieldAnswers') return null
  const { problems } = response.data as { problems: readonly { field: string; problem: AnswerProblem }[] }
  return Object.fromEntries(problems.map(({ field, problem }) => [field, problem]))
}

/** The problems that the server's check would find, for the fields of one form. */
export function problemsIn(fields: readonly CustomField[], answers: Answers, isComplete: boolean): Problems {
  return checkAnswers(fields, answers, { isComplete }).problems
}

interface AnswerFieldsProps extends Pick<RegistrationProps, 'answers' | 'onChange'> {
  readonly fields: readonly CustomField[]
  readonly problems: Problems
}

export function AnswerFields({ fields, answers, problems, onChange }: AnswerFieldsProps) {
  return fields.map((field) => (
    <AnswerField
      key={field.id}
      field={field}
      value={answers[field.id] ?? ''}
      problem={problems[field.id]}
      onChange={(value) => onChange({ ...answers, [field.id]: value })}
    />
  ))
}

interface FieldProps {
  readonly field: CustomField
  readonly value: string
  readonly problem: AnswerProblem | undefined
  readonly onChange: (value: string) => void
}

function AnswerField({ field, value, problem, onChange }: FieldProps) {
  const text = useMessages(fieldMessages)
  const { label, help, content, choices } = fieldText(field, useLanguage())
  const common = {
    name: `field-${field.id}`,
    label,
    required: field.required,
    error: problem && text.problems[problem],
    ...(help && { help }),
  }
  switch (field.kind) {
    case 'text':
      return (
        <TextInput
          {...common}
          value={value}
          onChange={onChange}
          maxLength={field.maxLength ?? fieldLimits.value}
        />
      )
    case 'number':
      return <TextInput {...common} value={value} onChange={onChange} inputMode="decimal" maxLength={20} />
    case 'date':
      return (
        <TextInput
          {...common}
          type="date"
          value={value}
          onChange={onChange}
          min={field.min}
          max={field.max}
        />
      )
    case 'country':
      return <CountryField {...common} value={value} onChange={onChange} />
    case 'choice': {
      const listed = field.choices.map((choice, at) => ({ value: choice, label: choices?.[at] || choice }))
      return (
        <Select
          {...common}
          value={value}
          onChange={onChange}
          choices={[{ value: '', label: text.none }, ...listed]}
        />
      )
    }
    case 'consent':
      return (
        <div className="pn-stack pn-gap-2">
          {content && (
            <Suspense>
              <Markdown text={content} />
            </Suspense>
          )}
          <Switch
            {...common}
            kind="checkbox"
            label={field.required ? text.requiredConsent(label) : label}
            checked={value !== '' && Number(value) >= field.version}
            onChange={(isGiven) => onChange(isGiven ? String(field.version) : '')}
          />
        </div>
      )
  }
}
