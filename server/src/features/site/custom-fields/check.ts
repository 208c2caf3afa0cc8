import {
  checkAnswers,
  fieldText,
  type Answers,
  type CheckedAnswers,
  type CustomField,
} from '@pennant/contract/custom-field-values.ts'
import { badFieldAnswers } from '@pennant/contract/custom-fields.ts'
import type { NewAnswer } from './store.ts'

interface Given {
  readonly given: Answers | undefined
  readonly stored?: Answers
  /** Whether all required fields must have an answer. */
  readonly isComplete: boolean
  /** The person who answers. */
  readonly by: string | null
}

type Checked =
  | { readonly answers: readonly NewAnswer[]; readonly refused?: undefined }
  | { readonly answers?: undefined; readonly refused: ReturnType<typeof badFieldAnswers> }

/** Answers as they are stored, or the reply that refuses them. */
export function answersTo(
  fields: readonly CustomField[],
  { given = {}, stored = {}, isComplete, by }: Given,
): Checked {
  const { values, problems } = checkAnswers(fields, given, { stored, isComplete })
  if (Object.keys(problems).length > 0) return { refused: refusalOf(fields, problems) }
  const consents = new Set(fields.flatMap(({ id, kind }) => (kind === 'consent' ? id : [])))
  return {
    answers: Object.entries(values).map(([field, value]) => ({
      field,
      version: consents.has(field) ? Number(value) : 0,
      value,
      by,
    })),
  }
}

function refusalOf(fields: readonly CustomField[], problems: CheckedAnswers['problems']) {
  return badFieldAnswers({
    problems: Object.entries(problems).map(([id, problem]) => {
      const field = fields.find((each) => each.id === id)
      return { field: id, label: field ? fieldText(field, 'en').label : id, problem }
    }),
  })
}
