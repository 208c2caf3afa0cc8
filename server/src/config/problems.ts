import type { z } from 'zod'
import { didYouMean, findNearest } from '../lib/nearest.ts'
import { findAt, type Layer } from './layers.ts'

type Issue = z.core.$ZodIssue

/** An error in the configuration. */
export interface Problem {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** The problems of a schema issue, whose message is ours (`sentenceOf`): one for each unknown key. */
export function problemsOf(issue: Issue, known: readonly string[]): Problem[] {
  const { path } = issue
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({
        path: [...path, key],
        message: `unknown key${suggest(path, key, known)}`,
      }))
    case 'invalid_key':
      return issue.issues.flatMap((inner) => problemsOf({ ...inner, path }, known))
    default:
      return [{ path, message: issue.message }]
  }
}

/** `file:line: path: message`; for the environment, the name of the variable. */
export function lineOf({ path, message }: Problem, layers: readonly Layer[]): string {
  const names = path.map(String)
  const key = names.join('.')
  for (let length = names.length; length > 0; length--) {
    const part = names.slice(0, length)
    const layer = layers.findLast(({ values }) => findAt(values, part) !== undefined)
    if (!layer) continue
    return layer.variable
      ? `${key}: ${message} (${layer.variable(names)})`
      : `${[layer.source, layer.line?.(part)].filter(Boolean).join(':')}: ${key}: ${message}`
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
