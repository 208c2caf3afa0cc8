import { fieldText } from '@pennant/contract/custom-field-values.ts'
import { useFields } from '../../api/fields.ts'
import type { AnswerFilter as Answer } from '../../organisers/people-list.tsx'
import { useLanguage } from '../../state/preferences.ts'
import { adminFieldMessages } from '../../text/en/admin-fields.ts'
import { useMessages } from '../../text/messages.ts'
import { SearchInput } from '../../ui/fields/search-input.tsx'
import { Select } from '../../ui/fields/inputs.tsx'

interface AnswerFilterProps {
  readonly value: Answer | null
  readonly onChange: (value: Answer | null) => void
}

/** Chooses people by an answer; nothing where people are asked for nothing. */
export function AnswerFilter({ value, onChange }: AnswerFilterProps) {
  const text = useMessages(adminFieldMessages)
  const language = useLanguage()
  const fields = useFields()?.filter(({ of }) => of === 'person') ?? []
  if (fields.length === 0) return null
  return (
    <>
      <Select
        label={text.filterBy}
        value={value?.field ?? ''}
        onChange={(field) => onChange(field === '' ? null : { field, answer: '' })}
        choices={[
          { value: '', label: text.anyAnswer },
          ...fields.map((field) => ({ value: field.id, label: fieldText(field, language).label })),
        ]}
      />
      {value && (
        <SearchInput
          label={text.answer}
          help={text.answerHelp}
          value={value.answer}
          onChange={(answer) => onChange({ ...value, answer })}
          maxLength={500}
        />
      )}
    </>
  )
}
