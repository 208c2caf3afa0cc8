import { SECOND_MS } from '@pennant/contract/durations.ts'

const MINUTE_S = 60

/** Theme colours of the lines of a graph, in the order of their teams. */
export const LINE_COLOURS: readonly string[] =
  'web crypto pwn forensics rev osint hardware ppc blockchain misc'.split(' ')

/** The theme colour of a line. */
export function lineColour(at: number): string {
  return `cat-${LINE_COLOURS[at % LINE_COLOURS.length]}`
}

/** Truncates a text to what fits, with an ellipsis if it was cut. */
export function shortened(text: string, fits: (text: string) => boolean): string {
  if (fits(text)) return text
  const letters = Array.from(text)
  let length = letters.length - 1
  while (length > 1 && !fits(`${letters.slice(0, length).join('')}…`)) length -= 1
  return `${letters.slice(0, length).join('').trimEnd()}…`
}

/** Labels of a time axis in seconds: hours and minutes, with the date on the first tick of each day. */
export function timeLabels(times: readonly number[], stepS: number, locale: string): string[] {
  const seconds = stepS < MINUTE_S ? ({ second: '2-digit' } as const) : {}
  const time = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', ...seconds })
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' })
  const days = times.map((at) => day.format(at * SECOND_MS))
  return times.map((at, index) => {
    const text = time.format(at * SECOND_MS)
    return days[index] === days[index - 1] ? text : `${text}\n${days[index]}`
  })
}
