import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import type { Sponsor, Values } from './draft.ts'
import { words } from './words.ts'

/** Of a long text as much is shown. */
const MOST_SHOWN = 80

/** The value of a setting on one line. */
export function useInWords() {
  const text = useText(words)
  const format = useFormat()
  return (value: Values[keyof Values]): string => {
    if (typeof value === 'number') return Number.isNaN(value) ? text.none : format.dateTime(value)
    if (typeof value !== 'string') return value.length === 0 ? text.none : format.list(value.map(nameOf))
    const line = value.trim().replace(/\s+/g, ' ')
    if (line === '') return text.empty
    return line.length > MOST_SHOWN ? `${line.slice(0, MOST_SHOWN - 1)}…` : line
  }
}

function nameOf({ name }: Sponsor): string {
  return name
}
