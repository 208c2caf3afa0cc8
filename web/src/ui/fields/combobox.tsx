import { useEffect, useId, useRef, useState, type ComponentProps, type KeyboardEvent } from 'react'
import { Icon } from '../icon.tsx'
import { useUiMessages } from '../ui-messages.ts'
import { Field, useIsStill, type ControlProps, type FieldProps } from './field.tsx'
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
  const [typed, setTyped] = useState<string | null>(null)
  const chosen = choices.find((choice) => choice.value === value)?.label ?? value
  return (
    <Field {...field}>
      {(control) => (
        <Input
          {...{ control, placeholder }}
          value={typed ?? chosen}
          choices={matching(choices, typed)}
          chosen={[value]}
          onBlur={() => setTyped(null)}
          onPick={(picked) => {
            onChange(picked)
            setTyped(null)
          }}
          onType={(text) => {
            setTyped(text)
            onType?.(text)
            if (free || text === '') onChange(text)
          }}
        />
      )}
    </Field>
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
      aria-label={messages.removeNamed(labelOf(each))}
      onClick={() => onChange(without(each))}
    >
      <bdi>{labelOf(each)}</bdi>
      <Icon name="close" size={12} />
    </button>
  ))
  return (
    <Field {...field} note={pills.length > 0 && <div className="pn-wrap pn-gap-1">{pills}</div>}>
      {(control) => (
        <Input
          control={control}
          placeholder={placeholder ?? messages.choose}
          value={typed}
          choices={matching(choices, typed)}
          chosen={value}
          onPick={toggle}
          onType={setTyped}
          onKeyDown={({ key }) => {
            const last = value.at(-1)
            if (key === 'Backspace' && typed === '' && last !== undefined) onChange(without(last))
          }}
        />
      )}
    </Field>
  )
}

interface InputProps extends Pick<ComponentProps<'input'>, 'placeholder' | 'onBlur' | 'onKeyDown'> {
  readonly control: ControlProps
  readonly value: string
  readonly choices: readonly Choice[]
  readonly chosen: readonly string[]
  readonly onPick: (value: string) => void
  readonly onType: (text: string) => void
}

/** The text input with its list of options, which keeps the focus in the input. */
function Input(props: InputProps) {
  const { control, choices, chosen, onPick, onType, onBlur, onKeyDown, ...rest } = props
  const id = useId()
  const isStill = useIsStill()
  const input = useRef<HTMLInputElement>(null)
  const [isOpen, setOpen] = useState(false)
  /** The option under the keyboard; -1 for none. */
  const [at, setAt] = useState(-1)
  const close = () => {
    setOpen(false)
    setAt(-1)
  }
  const pick = (value: string) => {
    onPick(value)
    close()
  }
  const handleKey = (event: KeyboardEvent<HTMLInputElement>) => {
    onKeyDown?.(event)
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const current = choices[at]
    if (step !== undefined) {
      setOpen(true)
      setAt(isOpen ? stepFrom(at, step, choices.length) : -1)
    } else if (event.key === 'Enter' && isOpen && current) pick(current.value)
    else if (event.key === 'Escape' && isOpen) close()
    else return
    event.preventDefault()
  }
  return (
    <>
      <input
        {...rest}
        {...control}
        ref={input}
        type="text"
        role="combobox"
        autoComplete="off"
        aria-expanded={isOpen}
        aria-controls={id}
        aria-activedescendant={choices[at] ? `${id}-${at}` : undefined}
        disabled={isStill}
        className={styles.input}
        onClick={() => setOpen(true)}
        onBlur={(event) => {
          close()
          onBlur?.(event)
        }}
        onKeyDown={handleKey}
        onChange={({ currentTarget }) => {
          onType(currentTarget.value)
          setOpen(true)
          setAt(-1)
        }}
      />
      {isOpen && <Options {...{ id, input, choices, chosen, at }} onPick={pick} />}
    </>
  )
}

function stepFrom(at: number, step: number, count: number): number {
  return at < 0 && step < 0 ? count - 1 : (at + step + count) % count
}

interface OptionsProps extends Pick<InputProps, 'choices' | 'chosen' | 'onPick'> {
  readonly id: string
  readonly input: React.RefObject<HTMLInputElement | null>
  readonly at: number
}

function Options({ id, input, choices, chosen, at, onPick }: OptionsProps) {
  const messages = useUiMessages()
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (input.current) list.current?.showPopover({ source: input.current })
  }, [input])
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' })
  }, [at])
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      popover="manual"
      className={styles.dropdown}
      // The focus stays in the input.
      onMouseDown={(event) => event.preventDefault()}
    >
      {choices.map(({ value, label }, index) => (
        <div
          key={value}
          id={`${id}-${index}`}
          role="option"
          aria-selected={chosen.includes(value)}
          data-current={index === at || undefined}
          className={styles.option}
          onClick={() => onPick(value)}
        >
          {chosen.includes(value) && <Icon name="check" />} <bdi>{label}</bdi>
        </div>
      ))}
      {choices.length === 0 && <div className={styles.nothing}>{messages.noMatches}</div>}
    </div>
  )
}

/** Options whose label or value contains the text. */
function matching(choices: readonly Choice[], typed: string | null): Choice[] {
  const wanted = (typed ?? '').trim().toLowerCase()
  const fits = ({ label, value }: Choice) => `${label} ${value}`.toLowerCase().includes(wanted)
  return choices.filter(fits).slice(0, MAX_SHOWN)
}
