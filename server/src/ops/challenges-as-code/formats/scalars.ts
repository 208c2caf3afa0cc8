const DATE = /^(\d{4})-(\d\d?)-(\d\d?)$/
const INSTANT =
  /^(\d{4})-(\d\d?)-(\d\d?)(?:[Tt]|[ \t]+)(\d\d?):(\d\d):(\d\d)(\.\d*)?(?:[ \t]*(?:([Zz])|([+-]\d\d?)(?::?(\d\d))?))?$/

/** An instant in any form of YAML 1.1, in ISO 8601; anything else as it is. */
export function instantOf(text: string): string {
  const value = text.trim()
  const date = DATE.exec(value)
  if (date) return isoDate(date)
  const match = INSTANT.exec(value)
  if (!match) return text
  const [, , , , hour = '', minute = '', second = '', fraction = '', utc, offset, minutes = '00'] = match
  const zone = utc === undefined ? zoneOf(offset, minutes) : 'Z'
  const rest = fraction.length > 1 ? fraction : ''
  return `${isoDate(match)}T${two(hour)}:${minute}:${second}${rest}${zone}`
}

function isoDate([, year = '', month = '', day = '']: readonly (string | undefined)[]): string {
  return `${year}-${two(month)}-${two(day)}`
}

function zoneOf(hours: string | undefined, minutes: string): string {
  return hours === undefined ? '' : `${hours[0]}${two(hours.slice(1))}:${minutes}`
}

function two(digits: string): string {
  return digits.padStart(2, '0')
}

/** Whether YAML 1.1 reads a number as another one than people do: octal, binary, or base 60. */
export function isTricky(source: string): boolean {
  return /^[+-]?(?:0[\d_]+|0b[01_]+|\d[\d_]*(?::[0-5]?\d)+)$/.test(source)
}
