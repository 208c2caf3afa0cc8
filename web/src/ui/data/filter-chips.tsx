import { useState } from 'react'
import { Button, IconButton } from '../buttons/button.tsx'
import { MultiSelect } from '../fields/combobox.tsx'
import { Select, TextInput, type Choice } from '../fields/inputs.tsx'
import { Popover } from '../layers/floats.tsx'
import { useWords } from '../words.ts'
import styles from './data.module.css'
import type { Filter } from './filters.ts'

export interface FilterField {
  readonly id: string
  readonly label: string
  /** Undefined where any text is a value, as for addresses. */
  readonly choices?: readonly Choice[]
}

interface FilterChipsProps {
  readonly fields: readonly FilterField[]
  readonly filters: readonly Filter[]
  /** The caller keeps them, in the address: `filtersToText` and `filtersFromText`. */
  readonly onChange: (filters: Filter[]) => void
}

/** What a list is narrowed to: one chip per condition, each can be changed and removed. */
export function FilterChips({ fields, filters, onChange }: FilterChipsProps) {
  const words = useWords()
  const [edited, setEdited] = useState<number | null>(null)
  const put = (at: number, filter: Filter) => {
    onChange(filters.toSpliced(at, 1, filter))
    setEdited(null)
  }
  const editor = (at: number, filter?: Filter) => (
    <Editor fields={fields} filter={filter} onApply={(next) => put(at, next)} />
  )
  return (
    <div className={styles.chips}>
      {filters.map((filter, at) => {
        const text = spell(filter, fields, filter.not ? words.isNot : words.is)
        return (
          <span key={`${filter.field} ${at}`} className={styles.chip}>
            <Popover
              label={text}
              open={edited === at}
              onChange={(open) => setEdited(open ? at : null)}
              target={
                <button type="button" onClick={() => setEdited(at)}>
                  {text}
                </button>
              }
            >
              {editor(at, filter)}
            </Popover>
            <IconButton
              icon="close"
              label={words.remove(text)}
              onClick={() => onChange(filters.toSpliced(at, 1))}
            />
          </span>
        )
      })}
      <Popover
        label={words.addFilter}
        open={edited === filters.length}
        onChange={(open) => setEdited(open ? filters.length : null)}
        target={
          <Button icon="filter" tone="quiet" onClick={() => setEdited(filters.length)}>
            {words.addFilter}
          </Button>
        }
      >
        {editor(filters.length)}
      </Popover>
      {filters.length > 0 && (
        <Button tone="quiet" onClick={() => onChange([])}>
          {words.clearFilters}
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
  const words = useWords()
  const [draft, setDraft] = useState<Filter>(filter ?? { field: fields[0]?.id ?? '', not: false, values: [] })
  const field = fields.find(({ id }) => id === draft.field)
  const values = draft.values.filter((value) => value !== '')
  const operators = [
    { value: 'is', label: words.is },
    { value: 'not', label: words.isNot },
  ]
  return (
    <div className={styles.form}>
      <Select
        label={words.filterBy}
        value={draft.field}
        onChange={(id) => setDraft({ field: id, not: false, values: [] })}
        choices={fields.map(({ id, label }) => ({ value: id, label }))}
      />
      <Select
        label={words.operator}
        value={draft.not ? 'not' : 'is'}
        onChange={(operator) => setDraft({ ...draft, not: operator === 'not' })}
        choices={operators}
      />
      {field?.choices ? (
        <MultiSelect
          label={words.values}
          value={draft.values}
          onChange={(picked) => setDraft({ ...draft, values: picked })}
          choices={field.choices}
        />
      ) : (
        <TextInput
          label={words.values}
          help={words.valuesTyped}
          maxLength={1000}
          mono
          value={draft.values.join(' ')}
          onChange={(text) => setDraft({ ...draft, values: text.trimStart().split(/[\s,]+/) })}
        />
      )}
      <Button
        tone="primary"
        disabledBecause={values.length === 0 ? words.choose : undefined}
        onClick={() => onApply({ ...draft, values })}
      >
        {words.apply}
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
