import { createContext, useContext, useState } from 'react'
import { pageLocale } from '../../text/page-locale.ts'
import { IconButton } from '../buttons/button.tsx'
import { useUiMessages } from '../ui-messages.ts'
import { Field, useIsStill, type FieldProps } from './field.tsx'
import styles from './fields.module.css'
import { durationText, fromLocalText, toLocalText, zoneOf } from './local-time.ts'

interface EventTimes {
  /** Start of the event in Unix milliseconds, if it is scheduled. */
  readonly start: number | null
  readonly now: () => number
}

const Times = createContext<EventTimes>({ start: null, now: Date.now })

/** What date fields inside relate their times to. */
export const EventTimesProvider = Times.Provider

interface DateTimeProps extends FieldProps {
  /** Unix milliseconds; null while empty; NaN while what is typed is not a complete date with a time. */
  readonly value: number | null
  readonly onChange: (value: number | null) => void
  readonly disabled?: boolean
  /** In a row of filters: without the distance below. */
  readonly compact?: boolean
}

/**
 * A date and time as text, in the user's time zone. Native date fields count as empty while a part is missing and differ
 * between browsers. NaN must never be sent: `useForm` refuses it, other callers check it.
 */
export function DateTime({ value, onChange, disabled, error, compact, ...field }: DateTimeProps) {
  const messages = useUiMessages()
  const isStill = useIsStill()
  const [typed, setTyped] = useTyped(value)
  const [isFocused, setFocused] = useState(false)
  const isIncomplete = Number.isNaN(fromLocalText(typed))
  const type = (text: string) => {
    setTyped(text)
    onChange(fromLocalText(text))
  }
  return (
    <Field
      {...field}
      error={isIncomplete && (error || !isFocused) ? messages.incompleteTime : error}
      note={!compact && <Echo at={fromLocalText(typed)} />}
    >
      {(control) => (
        <span className={styles.clearable}>
          <input
            {...control}
            type="text"
            dir="ltr"
            autoComplete="off"
            spellCheck={false}
            maxLength={40}
            placeholder={messages.timePlaceholder}
            disabled={disabled || isStill}
            className={styles.input}
            value={typed}
            onFocus={() => setFocused(true)}
            onBlur={() => setFocused(false)}
            onChange={(event) => type(event.currentTarget.value)}
          />
          {typed !== '' && !disabled && !isStill && (
            <IconButton tone="quiet" icon="close" label={messages.clearTime} onClick={() => type('')} />
          )}
        </span>
      )}
    </Field>
  )
}

/** What is typed. It is replaced when the value changes to another time, but not while the value only follows it. */
function useTyped(value: number | null) {
  const [typed, setTyped] = useState(() => textOf(value))
  const [seen, setSeen] = useState(value)
  if (!Object.is(seen, value)) {
    setSeen(value)
    if (!Object.is(fromLocalText(typed), value) && !Number.isNaN(value)) setTyped(textOf(value))
  }
  return [typed, setTyped] as const
}

function textOf(value: number | null): string {
  return value === null || Number.isNaN(value) ? '' : toLocalText(value)
}

/** `in 1 day 5 hr, 6 hr after the start`, and the zone where it differs from UTC. */
function Echo({ at }: { readonly at: number | null }) {
  const messages = useUiMessages()
  const { start, now } = useContext(Times)
  if (at === null || Number.isNaN(at)) return null
  const locale = pageLocale()
  const zone = zoneOf(at)
  const relative = [
    messages.fromNow(durationText(at - now(), locale), at >= now()),
    start !== null && start !== at && messages.fromStart(durationText(at - start, locale), at > start),
    zone && messages.inZone(zone.zone, zone.utc),
  ]
  return <span className={styles.help}>{relative.filter(Boolean).join(', ')}</span>
}
