import { saveFile } from '../../ui/save-file.ts'

export interface CalendarEvent {
  readonly ctfName: string
  readonly origin: string
  readonly startTime: number
  readonly endTime: number
}

/** RFC 5545, section 3.1: octets of a line before it is folded. */
const LINE_OCTETS = 75

/** Saves the event as an iCalendar file. */
export function saveCalendar(event: CalendarEvent): void {
  saveFile({ name: 'event.ics', content: calendarFile(event), type: 'text/calendar' })
}

/** Times are Unix milliseconds. */
function calendarFile({ ctfName, origin, startTime, endTime }: CalendarEvent): string {
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Pennant//EN',
    'BEGIN:VEVENT',
    `UID:${startTime}-${endTime}@${URL.canParse(origin) ? new URL(origin).hostname : 'pennant.invalid'}`,
    `DTSTAMP:${stamp(startTime)}`,
    `DTSTART:${stamp(startTime)}`,
    `DTEND:${stamp(endTime)}`,
    `SUMMARY:${escaped(ctfName)}`,
    `URL:${origin.replaceAll(/[\r\n]/g, '')}`,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ]
    .map(folded)
    .join('\r\n')
}

function stamp(at: number): string {
  return new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, '')
}

function escaped(text: string): string {
  return text.replaceAll(/[\\;,]/g, (character) => `\\${character}`).replaceAll(/\r?\n|\r/g, '\\n')
}

/** Folds a long line: each continuation starts with a space. Characters are not split. */
function folded(line: string): string {
  const encoder = new TextEncoder()
  let result = ''
  let used = 0
  for (const character of line) {
    const size = encoder.encode(character).length
    if (used + size > LINE_OCTETS) {
      result += '\r\n '
      used = 1
    }
    result += character
    used += size
  }
  return result
}
