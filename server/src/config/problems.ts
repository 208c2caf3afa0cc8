import type { z } from 'zod'
import { didYouMean, findNearest } from '../lib/nearest.ts'
import { environmentName } from './keys.ts'
import { findAt, type Layer } from './layers.ts'

type Issue = z.core.$ZodIssue

const EXPECTED: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  record: 'a map',
  object: 'a map',
}

/** An error in the configuration. */
export interface Problem {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** Translates schema issues into messages for operators. Values are not shown, because some are secret. */
export function problemsOf(issue: Issue, value: unknown, known: readonly string[]): Problem[] {
  const { path } = issue
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({
        path: [...path, key],
        message: `unknown key${suggest(path, key, known)}`,
      }))
    case 'invalid_type': {
      const expected = EXPECTED[issue.expected] ?? issue.expected
      return [{ path, message: value === undefined ? 'is missing' : `must be ${expected}` }]
    }
    case 'invalid_value':
      return [{ path, message: `must be one of ${issue.values.map(String).join(', ')}` }]
    case 'too_small':
      return [
        { path, message: isLength(issue.origin) ? 'must not be empty' : `must be at least ${issue.minimum}` },
      ]
    case 'too_big':
      return [{ path, message: `must be at most ${issue.maximum}${isLength(issue.origin) ? ' long' : ''}` }]
    case 'invalid_key':
      return issue.issues.flatMap((inner) => problemsOf({ ...inner, path }, value, known))
    default:
      return [{ path, message: issue.message }]
  }
}

/** `file: path: message`; for the environment, the variable's name. */
export function lineOf({ path, message }: Problem, layers: readonly Layer[]): string {
  const names = path.map(String)
  const key = names.join('.')
  for (let length = names.length; length > 0; length--) {
    const part = names.slice(0, length)
    const layer = layers.findLast(({ values }) => findAt(values, part) !== undefined)
    if (!layer) continue
    return layer.source === 'environment'
      ? `${key}: ${message} (${environmentName(part)})`
      : `${layer.source}: ${key}: ${message}`
  }
  return `${key}: ${message}`
}

/** Suggests the most similar key at the same level, else the same name elsewhere. */
export function suggest(parent: readonly PropertyKey[], key: string, known: readonly string[]): string {
  const prefix = parent.length === 0 ? '' : `${parent.join('.')}.`
  const siblings = known.filter((name) => name.startsWith(prefix) && !name.slice(prefix.length).includes('.'))
  const sibling = findNearest(`${prefix}${key}`, siblings)
  if (sibling !== null && isCloser(sibling.slice(prefix.length), key)) return `; did you mean ${sibling}?`
  const elsewhere = known.find((name) => name.split('.').at(-1)?.toLowerCase() === key.toLowerCase())
  if (elsewhere !== undefined) return `; did you mean ${elsewhere}?`
  return didYouMean(
    key,
    siblings.map((name) => name.slice(prefix.length)),
  )
}

/** The shared prefix must not make two names look similar. */
function isCloser(name: string, key: string): boolean {
  return findNearest(key, [name]) !== null
}

function isLength(origin: string): boolean {
  return origin === 'string' || origin === 'array'
}
