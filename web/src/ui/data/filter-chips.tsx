import { useState } from 'react'
import { Button, IconButton } from '../buttons/button.tsx'
import { MultiSelect } from '../fields/combobox.tsx'
import { Select, TextInput, type Choice } from '../fields/inputs.tsx'
import { Popover } from '../layers/floats.tsx'
import { useUiMessages } from '../ui-messages.ts'
import styles from './data.module.css'
import type { Filter } from './filters.ts'

export interface FilterField {
  readonly id: string
  readonly label: string
  /** Undefined if any text is a valid value, as for IP addresses. */
  readonly choices?: readonly Choice[]
}

interface FilterChipsProps {
  readonly fields: readonly FilterField[]
  readonly filters: readonly Filter[]
  /** The caller stores the filters in the URL with `filtersToText` and `filtersFromText`. */
  readonly onChange: (filters: Filter[]) => void
}

/** The active filters of a list: one chip per condition, editable and removable. */
export function FilterChips({ fields, filters, onChange }: FilterChipsProps) {
  const messages = useUiMessages()
  const editor = (at: number, close: () => void) => {
    const put = (next: Filter) => {
      close()
      onChange(filters.toSpliced(at, 1, next))
    }
    return <Editor fields={fields} filter={filters[at]} onApply={put} />
  }
  return (
    <div className="pn-row pn-gap-2">
      {filters.map((filter, at) => {
        const text = spell(filter, fields, filter.not ? messages.isNot : messages.is)
        return (
          <span key={`${filter.field} ${at}`} className={styles.chip}>
            <Popover label={text} target={<button type="button">{text}</button>}>
              {(close) => editor(at, close)}
            </Popover>
            <IconButton
              icon="close"
              label={messages.removeNamed(text)}
              onClick={() => onChange(filters.toSpliced(at, 1))}
            />
          </span>
        )
      })}
      <Popover
        label={messages.addFilter}
        target={
          <Button icon="filter" tone="quiet">
            {messages.addFilter}
          </Button>
        }
      >
        {(close) => editor(filters.length, close)}
      </Popover>
      {filters.length > 0 && (
        <Button tone="quiet" onClick={() => onChange([])}>
          {messages.clearFilters}
        </Button>
      )}
    </div>
  )
}

interface EditorProps {
  readonly fields: readonly FilterField[]
  readonly filter: Filter | undefined
  readonly onApply: (filter: Filter) => void
}

function Editor({ fields, filter, onApply }: EditorProps) {
  const messages = useUiMessages()
  const [draft, setDraft] = useState<Filter>(filter ?? { field: fields[0]?.id ?? '', not: false, values: [] })
  const field = fields.find(({ id }) => id === draft.field)
  const values = draft.values.filter((value) => value !== '')
  const operators = [
    { value: 'is', label: messages.is },
    { value: 'not', label: messages.isNot },
  ]
  return (
    <div className={styles.form}>
      <Select
        label={messages.filterBy}
        value={draft.field}
        onChange={(id) => setDraft({ field: id, not: false, values: [] })}
        choices={fields.map(({ id, label }) => ({ value: id, label }))}
      />
      <Select
        label={messages.operator}
        value={draft.not ? 'not' : 'is'}
        onChange={(operator) => setDraft({ ...draft, not: operator === 'not' })}
        choices={operators}
      />
      {field?.choices ? (
        <MultiSelect
          label={messages.values}
          value={draft.values}
          onChange={(picked) => setDraft({ ...draft, values: picked })}
          choices={field.choices}
        />
      ) : (
        <TextInput
          label={messages.values}
          help={messages.valuesHelp}
          maxLength={1000}
          mono
          value={draft.values.join(' ')}
          onChange={(text) => setDraft({ ...draft, values: text.trimStart().split(/[\s,]+/) })}
        />
      )}
      <Button
        tone="primary"
        disabledBecause={values.length === 0 ? messages.choose : undefined}
        onClick={() => onApply({ ...draft, values })}
      >
        {messages.apply}
      </Button>
    </div>
  )
}

function spell({ field, values }: Filter, fields: readonly FilterField[], operator: string): string {
  const known = fields.find(({ id }) => id === field)
  const labels = values.map(
    (value) => known?.choices?.find((choice) => choice.value === value)?.label ?? value,
  )
  return `${known?.label ?? field} ${operator} ${labels.join(', ')}`
}
