import type { z } from 'zod'

type RawIssue = z.core.$ZodRawIssue

const EXPECTED: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  record: 'a map',
  object: 'a map',
  nan: 'a number',
}

const FORMATS: Readonly<Record<string, string>> = {
  url: 'a URL such as https://ctf.example',
  email: 'an email address',
  ipv4: 'an IPv4 address such as 192.0.2.1',
  ipv6: 'an IPv6 address such as 2001:db8::1',
  cidrv4: 'a range of IPv4 addresses such as 10.0.0.0/8',
  cidrv6: 'a range of IPv6 addresses such as 2001:db8::/32',
  base64: 'text in base64',
  base64url: 'text in base64url',
  uuid: 'a UUID',
  datetime: 'a time with a zone, such as 2027-03-05T18:00:00Z',
}

/**
 * What is wrong with a value, for schemas that do not say it themselves: operators never read a sentence of the
 * library. Values are not shown, because some are secret.
 */
export function sentenceOf(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'is missing'
        : `must be ${EXPECTED[issue.expected] ?? 'another kind of value'}`
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`
    case 'too_small':
      return limit(issue.origin, 'at least', Number(issue.minimum))
    case 'too_big':
      return limit(issue.origin, 'at most', Number(issue.maximum))
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'invalid_format':
      return `must be ${FORMATS[issue.format] ?? patternOf(issue.pattern)}`
    case 'unrecognized_keys':
      return `has unknown keys: ${issue.keys.join(', ')}`
    case 'invalid_union':
      return 'has none of the forms that this key may have'
    default:
      return 'is not valid'
  }
}

const COUNTED: Readonly<Record<string, string>> = {
  string: 'characters',
  array: 'entries',
  set: 'entries',
  map: 'entries',
}

function limit(origin: string, relation: 'at least' | 'at most', count: number): string {
  const noun = COUNTED[origin]
  if (noun === undefined) return `must be ${relation} ${count}`
  if (relation === 'at least' && count === 1) return 'must not be empty'
  return `must have ${relation} ${count} ${noun}`
}

function patternOf(pattern: string | undefined): string {
  return pattern === undefined ? 'of another form' : `text that matches ${pattern}`
}
