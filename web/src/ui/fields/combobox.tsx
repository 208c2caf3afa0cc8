import { Combobox as Mantine, useCombobox } from '@mantine/core'
import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import { useState } from 'react'
import { cx } from '../cx.ts'
import { Icon } from '../icon.tsx'
import { useUiMessages } from '../ui-messages.ts'
import { Field, useIsStill, type FieldProps } from './field.tsx'
import styles from './fields.module.css'
import type { Choice } from './inputs.tsx'

/** Limit of shown options; typing more narrows them. */
const MAX_SHOWN = 100

interface ComboboxProps extends FieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly choices: readonly Choice[]
  readonly placeholder?: string
  /** Accept typed text that is not among the options. */
  readonly free?: boolean
  /** Reports what is typed, for choices that a server searches. */
  readonly onType?: (text: string) => void
}

/** Selects one of many options by typing. */
export function Combobox(props: ComboboxProps) {
  const { value, onChange, choices, placeholder, free = false, onType, ...field } = props
  const list = useCombobox({ onDropdownClose: () => list.resetSelectedOption() })
  const isStill = useIsStill()
  const [typed, setTyped] = useState<string | null>(null)
  const chosen = choices.find((choice) => choice.value === value)?.label ?? value
  const pick = (picked: string) => {
    onChange(picked)
    setTyped(null)
    list.closeDropdown()
  }
  return (
    <Mantine store={list} onOptionSubmit={pick} shadow="none">
      <Field {...field}>
        {(control) => (
          <Mantine.Target>
            <input
              {...control}
              type="text"
              autoComplete="off"
              disabled={isStill}
              placeholder={placeholder}
              className={styles.input}
              value={typed ?? chosen}
              onClick={() => list.openDropdown()}
              onBlur={() => {
                list.closeDropdown()
                setTyped(null)
              }}
              onChange={({ currentTarget }) => {
                setTyped(currentTarget.value)
                onType?.(currentTarget.value)
                if (free || currentTarget.value === '') onChange(currentTarget.value)
                list.openDropdown()
                list.updateSelectedOptionIndex()
              }}
            />
          </Mantine.Target>
        )}
      </Field>
      <Options choices={matching(choices, typed)} active={[value]} />
    </Mantine>
  )
}

interface MultiSelectProps extends FieldProps {
  readonly value: readonly string[]
  readonly onChange: (value: string[]) => void
  readonly choices: readonly Choice[]
  readonly placeholder?: string
}

/** Selects several of many options; each selected one has a remove button. */
export function MultiSelect({ value, onChange, choices, placeholder, ...field }: MultiSelectProps) {
  const messages = useUiMessages()
  const list = useCombobox({ onDropdownClose: () => list.resetSelectedOption() })
  const isStill = useIsStill()
  const [typed, setTyped] = useState('')
  const without = (gone: string) => value.filter((each) => each !== gone)
  const toggle = (picked: string) => {
    onChange(value.includes(picked) ? without(picked) : [...value, picked])
    setTyped('')
  }
  const labelOf = (each: string) => choices.find((choice) => choice.value === each)?.label ?? each
  const pills = value.map((each) => (
    <button
      key={each}
      type="button"
      disabled={isStill}
      className={styles.pill}
      aria-label={messages.remove(labelOf(each))}
      onClick={() => onChange(without(each))}
    >
      <bdi>{labelOf(each)}</bdi>
      <Icon name="close" size={12} />
    </button>
  ))
  return (
    <Mantine store={list} onOptionSubmit={toggle} shadow="none">
      <Field {...field} note={pills.length > 0 && <div className={styles.pills}>{pills}</div>}>
        {(control) => (
          <Mantine.Target>
            <input
              {...control}
              type="text"
              autoComplete="off"
              disabled={isStill}
              placeholder={placeholder ?? messages.choose}
              className={styles.input}
              value={typed}
              onClick={() => list.openDropdown()}
              onBlur={() => list.closeDropdown()}
              onKeyDown={(event) => {
                const last = value.at(-1)
                if (event.key === 'Backspace' && typed === '' && last !== undefined) onChange(without(last))
              }}
              onChange={({ currentTarget }) => {
                setTyped(currentTarget.value)
                list.openDropdown()
                list.updateSelectedOptionIndex()
              }}
            />
          </Mantine.Target>
        )}
      </Field>
      <Options choices={matching(choices, typed)} active={value} />
    </Mantine>
  )
}

function Options({
  choices,
  active,
}: {
  readonly choices: readonly Choice[]
  readonly active: readonly string[]
}) {
  const messages = useUiMessages()
  return (
    <Mantine.Dropdown className={styles.dropdown}>
      <Mantine.Options>
        {choices.map(({ value, label }) => (
          <Mantine.Option
            key={value}
            value={value}
            active={active.includes(value)}
            className={cx(styles.option)}
          >
            {active.includes(value) && <Icon name="check" />} <bdi>{label}</bdi>
          </Mantine.Option>
        ))}
        {choices.length === 0 && (
          <Mantine.Empty className={styles.nothing}>{messages.noMatches}</Mantine.Empty>
        )}
      </Mantine.Options>
    </Mantine.Dropdown>
  )
}

/** Options whose label or value contains the text. */
function matching(choices: readonly Choice[], typed: string | null): Choice[] {
  const wanted = (typed ?? '').trim().toLowerCase()
  const fits = ({ label, value }: Choice) => `${label} ${value}`.toLowerCase().includes(wanted)
  return choices.filter(fits).slice(0, MAX_SHOWN)
}
